#!/usr/bin/env bash
# Kernel, modules, the first disk and the packages that Raspberry Pi OS has and Debian has not: parts.sh OUT TOOLS
. "$(dirname "$0")/common.sh"
out=$1 tools=$2/root version=$(cat "$2/version")
work=$(mktemp -d)
trap 'let_out; rm -rf "$work" "$tools/devices"' EXIT

# --- modules: the kernel's own gpio-sim with the irq_sim that Debian's kernel lacks folded in, and our devices ---
rm -rf "$tools/devices"
mkdir "$tools/devices"
cp "$here"/devices/*.c "$tools/devices/"
cp "$tools/sources/drivers/gpio/gpio-sim.c" "$tools/devices/gpio-sim-main.c"
sed -e 's/irq_to_desc(\([a-z]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' -e '/^EXPORT_SYMBOL_GPL/d' \
    -e 's/#include <linux\/slab.h>/&\n#include <linux\/irqdesc.h>/' \
    "$tools/sources/kernel/irq/irq_sim.c" >"$tools/devices/irq_sim_local.c"
printf '%s\n' 'obj-m += gpio-sim.o oled_bus.o pi_identity.o' 'gpio-sim-y := gpio-sim-main.o irq_sim_local.o' \
    >"$tools/devices/Makefile"
let_in "$tools"
inside "$tools" make -s -C "/lib/modules/$version/build" M=/devices modules >"$out/modules.log" 2>&1 ||
    { tail -n 20 "$out/modules.log" >&2; exit 1; }
inside "$tools" gcc -O2 -Wall -Werror -shared -fPIC -o /devices/lens.so /devices/lens.c
let_out
kernel=$work/kernel
cp -al "$tools/kernel" "$kernel"
install -D -t "$kernel/usr/lib/modules/$version/extra" "$tools"/devices/*.ko
strip -g "$kernel/usr/lib/modules/$version"/extra/*.ko
rm -f "$kernel/usr/lib/modules/$version"/modules.dep* "$kernel/usr/lib/modules/$version"/modules.*.bin
depmod -b "$kernel" "$version"
cp "$kernel/boot/vmlinuz-$version" "$out/vmlinuz"

needed_by() { modprobe -d "$kernel" -S "$version" --show-depends "$1" | awk '$1 == "insmod" { print $2 }'; }

modules=$out/system/usr/lib/modules/$version
mkdir -p "$modules"
for module in virtio_console i2c-dev gpio-sim oled_bus pi_identity; do needed_by "$module"; done | sort -u |
    while read -r file; do install -D -m 644 "$file" "$modules/${file#*/modules/"$version"/}"; done
cp "$kernel/usr/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} "$modules/"
ln -s usr/lib "$out/system/lib"
depmod -b "$out/system" "$version"
rm "$out/system/lib"
install -D -m 644 "$tools/devices/lens.so" "$out/system/usr/lib/virtual-pi/lens.so"
install -D -m 644 "$here/devices/virtual.yaml" "$out/system/usr/share/libcamera/pipeline/virtual/virtual.yaml"

# --- the first disk ---
mkdir -p "$work/initrd/bin" "$work/initrd/modules"
cp /bin/busybox "$work/initrd/bin/"
install -m 755 "$here/devices/initrd-init" "$work/initrd/init"
number=10
for module in virtio_pci virtio_blk ext4; do needed_by "$module"; done | awk '!seen[$0]++' | grep -v crc32c-intel |
    while read -r file; do
        target=$work/initrd/modules/$number-$(basename "${file%.xz}")
        case "$file" in *.xz) xz -dc "$file" >"$target" ;; *) cp "$file" "$target" ;; esac
        number=$((number + 1))
    done
(cd "$work/initrd" && find . | cpio --quiet -o -H newc | zstd -q) >"$out/initrd"

# --- packages ---
mkdir "$out/packages"
library() { # NAME WHEEL...: unpack wheels where apt's libraries lie
    local into=$work/$1/usr/lib/python3/dist-packages wheel
    mkdir -p "$into"
    for wheel in "${@:2}"; do python3 -m zipfile -e "$tools"/wheels/"$wheel"-*.whl "$into"; done
}

library python3-lgpio lgpio
package python3-lgpio 0.2.2 python3
library python3-picamera2 picamera2 pidng simplejpeg videodev2
libraries=$work/python3-picamera2/usr/lib/python3/dist-packages
cp "$here/devices/picamera2_virtual.py.in" "$libraries/picamera2/virtual.py"
echo 'from .virtual import Picamera2' >>"$libraries/picamera2/__init__.py"
# Only a preview on a screen uses it.
printf '%s\n' 'class PixelFormat:' '    def __getattr__(self, name):' '        return name' '' \
    'PixelFormat = PixelFormat()' >"$libraries/pykms.py"
needs="python3-libcamera (>= 0.7), libcamera-ipa, python3-numpy, python3-pil, python3-prctl, python3-piexif"
package python3-picamera2 0.3.38 "$needs, python3-jsonschema, python3-libarchive-c, python3-tqdm"
install -D -m 755 "$here/devices/raspi-config" "$work/raspi-config/usr/bin/raspi-config"
install -D -m 644 "$here/devices/99-virtual-pi.rules" "$work/raspi-config/usr/lib/udev/rules.d/99-virtual-pi.rules"
package raspi-config 1 ""
