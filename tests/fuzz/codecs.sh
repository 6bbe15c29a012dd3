#!/usr/bin/env bash
# codecs.sh FOLDER: libpng, libjpeg, libtiff and zlib of this system (Debian, Ubuntu), built from the system's own
# source packages with clang's coverage and address sanitizer and put into FOLDER. See README.md.
set -euo pipefail
folder=$(realpath -m "${1:?codecs.sh FOLDER}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Source packages beside what the system's own lists have. Those of a security archive are gone as soon as newer ones
# are there, so they are left out.
mkdir -p "$work/lists/partial" "$work/source"
. /etc/os-release
case $ID in
  debian) line="https://deb.debian.org/debian $VERSION_CODENAME main" key=debian ;;
  ubuntu) line="https://archive.ubuntu.com/ubuntu $VERSION_CODENAME main" key=ubuntu ;;
  *) echo "codecs.sh: Debian or Ubuntu, not $ID" >&2; exit 2 ;;
esac
key=$(find /usr/share/keyrings -name "$key-archive-keyring.*" | head -1)
echo "deb-src [signed-by=$key] $line" >"$work/sources.list"
get() {
  apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@"
}
get update
(cd "$work/source" && get source zlib libpng1.6 libjpeg-turbo tiff)

# Undefined behaviour is looked for in our code alone: codecs shift and overflow on purpose.
export CC=clang CFLAGS="-O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address"
build() {
  local source=${1%/}
  shift
  cmake -S "$source" -B "$source/built" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=None -DCMAKE_PREFIX_PATH="$folder" \
    -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR:PATH=lib -DCMAKE_INSTALL_RPATH='$ORIGIN' "$@" >"$source.log" 2>&1 &&
    ninja -C "$source/built" install >>"$source.log" 2>&1 || { tail -40 "$source.log" >&2; exit 1; }
}
cd "$work/source"
(cd zlib-*/ && ./configure --prefix="$folder" && make -j2 install) >zlib.log 2>&1 || { tail -40 zlib.log >&2; exit 1; }
build libpng1.6-*/ -DPNG_STATIC=OFF -DPNG_TESTS=OFF -DPNG_HARDWARE_OPTIMIZATIONS=OFF
build libjpeg-turbo-*/ -DENABLE_STATIC=OFF -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF
build tiff-*/ -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Dcxx=OFF
rm -f "$folder"/lib/lib*.a
ls "$folder"/lib/*.so
