# What the stages share; each is called with the folder that it fills, and the folders of the stages before it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The machine's own Debian mirror.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | sort -u | head -n 1)
[ -n "$mirror" ] || { echo "virtual-pi: apt on this machine knows no mirror of Debian" >&2; exit 1; }

# Pages, translations, and what Mesa would need to draw in three dimensions, are left out of both systems.
slim=(
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*'
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/lib/*/libLLVM*'
    --dpkgopt='path-exclude=/usr/lib/*/libgallium*'
)

# Lets a system reach what this machine reaches, and gives it its devices until the stage ends.
mounted=()
let_in() {
    local system=$1 folder
    cp -L /etc/resolv.conf "$system/etc/resolv.conf"
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
    for folder in dev proc; do
        mount --bind "/$folder" "$system/$folder"
        mounted+=("$system/$folder")
    done
}
let_out() {
    local folder
    for folder in "${mounted[@]}"; do umount "$folder"; done
    mounted=()
}
trap let_out EXIT

# Runs a command in a system as whoever has just logged in: nothing of this machine's settings but its way to the network.
inside() {
    local system=$1
    shift
    chroot "$system" env -u PIP_FIND_LINKS -u PIP_CONFIG_FILE -u VIRTUAL_ENV LC_ALL=C.UTF-8 HOME=/root \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
