#!/usr/bin/env bash
# What is on the card of a new Pi: card.sh OUT
. "$(dirname "$0")/common.sh"

mmdebstrap --quiet --variant=minbase "${slim[@]}" --include=ca-certificates,systemd-sysv,udev,kmod,sudo,dbus \
    trixie "$1/root" "deb $mirror trixie main"
rm -rf "$1"/root/var/lib/apt/lists/* "$1"/root/var/cache/apt/*
