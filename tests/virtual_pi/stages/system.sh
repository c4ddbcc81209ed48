#!/usr/bin/env bash
# A Pi's system after its first boot: system.sh OUT CARD PARTS COMMANDS; COMMANDS are those of docs/install.md, 1.
. "$(dirname "$0")/common.sh"
out=$1 parts=$3 commands=$4
system=$out/root

cp -a --reflink=auto "$2/root" "$system"
mkdir -p "$system/usr/share/virtual-pi"
cp -r "$parts/packages" "$system/usr/share/virtual-pi/packages"
cp -r "$parts/system/." "$system/"
printf '%s\n' "deb $mirror trixie main" "deb $mirror trixie-backports main" \
    "deb [trusted=yes] file:/usr/share/virtual-pi/packages ./" >"$system/etc/apt/sources.list"
# libcamera's virtual camera works from 0.7 on; Raspberry Pi OS has its own libcamera.
printf '%s\n' 'Package: *libcamera*' 'Pin: release n=trixie-backports' 'Pin-Priority: 600' \
    >"$system/etc/apt/preferences.d/libcamera"
printf '%s\n' 'APT::Get::Assume-Yes "true";' 'APT::Install-Recommends "false";' >"$system/etc/apt/apt.conf.d/virtual-pi"
printf '%s\n' 'PIP_CERT=/etc/ssl/certs/ca-certificates.crt' >>"$system/etc/environment"

let_in "$system"
for group in gpio i2c; do inside "$system" groupadd --system --force "$group"; done
inside "$system" apt-get -qq update
inside "$system" apt-get -qq install raspi-config >/dev/null
inside "$system" env DEBIAN_FRONTEND=noninteractive bash -euxo pipefail -s <"$commands"
let_out
rm -rf "$system"/var/lib/apt/lists/* "$system"/var/cache/apt/* "$system"/root/.cache
echo mexico-pi >"$system/etc/hostname"
echo '127.0.0.1 localhost mexico-pi' >"$system/etc/hosts"
