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

# package NAME VERSION DEPENDS: what lies in $work/NAME becomes a package, and is put on the list, in $out/packages.
package() {
    local folder=$work/$1
    mkdir -p "$folder/DEBIAN"
    printf '%s\n' "Package: $1" "Version: $2" "Architecture: amd64" "Maintainer: nobody <nobody@localhost>" \
        ${3:+"Depends: $3"} "Description: stands for the package of Raspberry Pi OS" >"$folder/DEBIAN/control"
    dpkg-deb -Zgzip --root-owner-group --build "$folder" "$out/packages/$1.deb" >/dev/null
    {
        dpkg-deb -f "$out/packages/$1.deb"
        echo "Filename: ./$1.deb"
        echo "Size: $(stat -c %s "$out/packages/$1.deb")"
        echo "SHA256: $(sha256sum "$out/packages/$1.deb" | cut -d ' ' -f 1)"
        echo
    } >>"$out/packages/Packages"
}

# repository SYSTEM SOURCE: what the page's ADDRESS stands for, /src in the system.
repository() {
    cp -a "$2" "$1/src"
    git -C "$1/src" init -q
    git -C "$1/src" add --all
    git -C "$1/src" -c user.name=nobody -c user.email=nobody@localhost commit -q -m "the checkout"
    printf '[safe]\n\tdirectory = *\n' >"$1/etc/gitconfig"
}

# calibrate SYSTEM PICTURES: in the place of somebody at a terminal, from pictures of the empty tray.
calibrate() {
    cp -r "$2/empty" "$1/tmp/empty"
    mkdir -p "$1/var/lib/mexico-table"
    let_in "$1"
    inside "$1" sh -c '/opt/mexico-table/.venv/bin/mexico-table --calibrate $(for name in /tmp/empty/*.png; do echo --from $name; done) \
        --tray-mm 300x220 --die-mm 16 --state /var/lib/mexico-table'
    let_out
    rm -r "$1/tmp/empty"
}
