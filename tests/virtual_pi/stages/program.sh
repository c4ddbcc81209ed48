#!/usr/bin/env bash
# The program, installed as docs/install.md, 2, has it, on a disk: program.sh OUT SYSTEM COMMANDS SOURCE PICTURES VENV
. "$(dirname "$0")/common.sh"
out=$1 system=$1/root commands=$3 source=$4 pictures=$5 venv=$6

cp -a --reflink=auto "$2/root" "$system"
repository "$system" "$source"

# Loops that Numba compiles here must be fit for the emulated processor, which compiles at a tenth of the speed.
echo 'import os; os.environ.setdefault("NUMBA_CPU_NAME", "generic")' >>"$system/etc/python3.13/sitecustomize.py"

let_in "$system"
if [ -d "$venv" ]; then
    mkdir "$system/venv"
    mount --bind "$venv" "$system/venv"
    mounted+=("$system/venv")
fi
# What an earlier build installed is there again as soon as there is a folder for it; `make venv` looks whether it will do.
found='[ -d /venv ] && [ -d /opt/mexico-table ] && [ ! -e /opt/mexico-table/.venv ] && cp -a /venv /opt/mexico-table/.venv'
{ echo "trap '$found || true' DEBUG"; cat "$commands"; } | inside "$system" bash -euxo pipefail -s
let_out
if [ ! -d "$venv" ]; then
    rm -rf "${venv%/*}"/venv-*
    cp -a "$system/opt/mexico-table/.venv" "$venv.new"
    mv "$venv.new" "$venv"  # all of it, or nothing
fi
rm -rf "$system/venv" "$system/root/.cache"

install -D -m 644 -t "$system/usr/share/virtual-pi/frames" "$pictures/frames/0.jpg"
calibrate "$system" "$pictures"
let_in "$system"
# What the service's first start would do beside the camera.
inside "$system" sh -c 'cd /opt/mexico-table && NUMBA_CACHE_DIR=/var/lib/mexico-table/compiled \
    .venv/bin/python -c "from vision.compiled import warm_up; warm_up()"'
let_out

# The world: its service, the lens before the camera, and what the table's own service needs here.
install -m 644 "$here/guest/world.py" "$system/usr/share/virtual-pi/world.py"
install -m 644 "$here/guest/world.service" "$system/etc/systemd/system/world.service"
install -D -m 644 "$here/guest/mexico-table.conf" "$system/etc/systemd/system/mexico-table.service.d/virtual-pi.conf"
ln -sf ../world.service "$system/etc/systemd/system/multi-user.target.wants/world.service"
for unit in systemd-timesyncd.service systemd-networkd.service apt-daily.timer apt-daily-upgrade.timer fstrim.timer \
    e2scrub_all.timer e2scrub_reap.service getty@tty1.service serial-getty@ttyS0.service systemd-update-utmp.service \
    systemd-binfmt.service systemd-hwdb-update.service ldconfig.service systemd-logind.service \
    systemd-journal-catalog-update.service systemd-update-done.service systemd-tmpfiles-clean.timer \
    dpkg-db-backup.timer systemd-resolved.service; do
    ln -sf /dev/null "$system/etc/systemd/system/$unit"
done
echo /usr/lib/virtual-pi/lens.so >"$system/etc/ld.so.preload"
echo '/dev/vda / ext4 rw,noatime 0 1' >"$system/etc/fstab"
echo 5f0e4c1b9a8d4e7f8a6b3c2d1e0f9a8b >"$system/etc/machine-id"

mke2fs -q -F -t ext4 -d "$system" "$out/disk.img" 3G
rm -rf "$system"
