#!/usr/bin/env bash
# A system with compilers and the sources of the kernel: tools.sh OUT
. "$(dirname "$0")/common.sh"
out=$1

mmdebstrap --quiet --variant=minbase "${slim[@]}" \
    --include=gcc,g++,libc6-dev,make,xz-utils,linux-headers-amd64,linux-source-6.12,swig,python3-dev,python3-venv,ca-certificates \
    trixie "$out/root" "deb $mirror trixie main"
mkdir "$out/root/sources"
tar -xJf "$out/root/usr/src/linux-source-6.12.tar.xz" -C "$out/root/sources" --strip-components=1 --occurrence=1 \
    linux-source-6.12/drivers/gpio/gpio-sim.c linux-source-6.12/kernel/irq/irq_sim.c
rm "$out/root/usr/src/linux-source-6.12.tar.xz"

let_in "$out/root"
inside "$out/root" python3 -m venv /python
# Raspberry Pi OS has these from apt, Debian has not; PYPI makes lgpio's source bring the C library of the same name.
inside "$out/root" env PYPI=1 /python/bin/pip wheel -q --no-deps -w /wheels \
    lgpio==0.2.2.0 pidng==4.0.9 picamera2==0.3.38 simplejpeg==1.9.0 videodev2==0.0.4
inside "$out/root" apt-get -qq update
version=$(ls "$out/root/usr/src" | sed -n 's/^linux-headers-\(.*-amd64\)$/\1/p' | head -n 1)
inside "$out/root" sh -c "cd /wheels && apt-get -qq download linux-image-$version-unsigned"
mkdir "$out/root/kernel"
dpkg-deb --fsys-tarfile "$out"/root/wheels/linux-image-*.deb | tar -x -C "$out/root/kernel" \
    --exclude='*/drivers/gpu/*' --exclude='*/drivers/net/*' --exclude='*/sound/*' --exclude='*/drivers/media/*'
rm "$out"/root/wheels/linux-image-*.deb
ln -s usr/lib "$out/root/kernel/lib"
echo "$version" >"$out/version"
rm -rf "$out"/root/var/lib/apt/lists/* "$out"/root/var/cache/apt/*
