#!/usr/bin/env bash
# The page's other system, with its commands run line by line: bookworm.sh OUT TOOLS FIRST SECOND FIFTH SOURCE PICTURES
# Three of these are files of commands, of docs/install.md, 1, 2 and 5.
. "$(dirname "$0")/common.sh"
out=$1 tools=$2/root first=$3 second=$4 fifth=$5 source=$6 pictures=$7 system=$1/root
work=$(mktemp -d)
trap 'let_out; rm -rf "$work"' EXIT

mmdebstrap --quiet --variant=minbase "${slim[@]}" --include=ca-certificates,systemd-sysv,sudo \
    bookworm "$system" "deb $mirror bookworm main"

# --- packages that Raspberry Pi OS has and Debian has not ---
mkdir "$out/packages"
let_in "$tools"
rm -rf "$tools/bookworm"
version=$(basename "$tools"/wheels/lgpio-*.whl | cut -d - -f 2)
inside "$tools" /python/bin/pip download -q --no-deps --python-version 3.11 --only-binary :all: -d /bookworm "lgpio==$version"
let_out
mkdir -p "$work/python3-lgpio/usr/lib/python3/dist-packages"
python3 -m zipfile -e "$tools"/bookworm/lgpio-*.whl "$work/python3-lgpio/usr/lib/python3/dist-packages"
package python3-lgpio 0.2.2 python3
install -D -m 755 "$here/devices/raspi-config" "$work/raspi-config/usr/bin/raspi-config"
package raspi-config 1 ""
mv "$out/packages" "$system/usr/share/virtual-pi"
echo "deb [trusted=yes] file:/usr/share/virtual-pi ./" >>"$system/etc/apt/sources.list"
printf '%s\n' 'APT::Get::Assume-Yes "true";' 'APT::Install-Recommends "false";' >"$system/etc/apt/apt.conf.d/virtual-pi"

# --- the page ---
by_the_page() {
    let_in "$system"
    { echo 'cd /opt/mexico-table 2>/dev/null || true'; cat "$1"; } |
        inside "$system" env DEBIAN_FRONTEND=noninteractive bash -euxo pipefail -s
    let_out
}
repository "$system" "$source"
let_in "$system"
inside "$system" apt-get -qq update
inside "$system" apt-get -qq install raspi-config >/dev/null
let_out
by_the_page "$first"
by_the_page "$second"
calibrate "$system" "$pictures"
by_the_page "$fifth"
rm -rf "$system"/var/lib/apt/lists/* "$system"/var/cache/apt/* "$system"/root/.cache
