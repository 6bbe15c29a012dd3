#!/usr/bin/env bash
# Proves that two builds of one commit in two folders give the same bytes:
#   tests/packages/reproducible.sh FOLDER [JOBS]
# FOLDER is made, and holds both. The commit is HEAD; no compiler cache takes part. Both builds take what a machine
# needs for two.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
source=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
mkdir -p "$1"
folder=$(realpath "$1") jobs=${2:-$(nproc)}
programs=(bin/bankside lib/libbankside.so)

for copy in "$folder/one" "$folder/another-one/further/down"; do
  rm -rf "$copy"
  git clone --quiet --shared "$source" "$copy"
  cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBANKSIDE_TESTS=OFF -DBANKSIDE_WINDOW=OFF \
    -DBANKSIDE_PYTHON=OFF -DBANKSIDE_CUDA=OFF -DBANKSIDE_PEERS=OFF -DCCACHE=CCACHE-NOTFOUND >/dev/null
  cmake --build "$copy/build" -j "$jobs" --target bankside libbankside >/dev/null
done
for program in "${programs[@]}"; do
  cmp "$folder/one/build/$program" "$folder/another-one/further/down/build/$program"
  sha256sum "$folder/one/build/$program" | sed "s|$folder/one/build/||"
done
echo "two builds, the same bytes"
