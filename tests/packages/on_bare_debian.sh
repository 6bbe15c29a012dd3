#!/usr/bin/env bash
# Installs the packages on a bare system in a folder, and runs what is in them:
#   on_bare_debian.sh PACKAGES FOLDER [bookworm]
# As root, with debootstrap and Debian's archive at hand; FOLDER is made, and left for another look.
set -euo pipefail
packages=$(realpath "$1") root=$2 release=${3:-bookworm}

debootstrap --variant=minbase "$release" "$root" >/dev/null
cp "$packages"/*.deb "$root/root/"
inside() { chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive HOME=/root QT_QPA_PLATFORM=offscreen "$@"; }
inside sh -c 'apt-get install -y -qq --no-install-recommends /root/*.deb' >/dev/null
inside bankside --version
inside bankside phantom --output /root/phantom --size 128
inside bankside filter /root/phantom/phantom.png --recipe vessels --scale 22 --output /root/out
inside bankside-window --version

inside apt-get install -y -qq --no-install-recommends gcc g++ libc6-dev pkg-config >/dev/null
cp "$(dirname "$0")"/../../library/examples/edges.c* "$root/root/"
inside sh -c 'cd /root && cc edges.c -o edges-c $(pkg-config --cflags --libs bankside) && ./edges-c'
inside sh -c 'cd /root && c++ -std=c++20 edges.cpp -o edges-cpp $(pkg-config --cflags --libs bankside) && ./edges-cpp'

inside apt-get remove -y -qq libbankside-dev libbankside0 bankside bankside-window >/dev/null
if inside sh -c 'ls -d /usr/share/bankside /usr/share/doc/*bankside* 2>/dev/null'; then
  echo "something is left" >&2
  exit 1
fi
echo "installed, run and removed on $release"
