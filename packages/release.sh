#!/usr/bin/env bash
# A release: the portable archive, what it is made of (CycloneDX), and the checksums of both.
#   packages/release.sh BUILD FOLDER
# BUILD is a Release build of everything; FOLDER is made. `sha256sum --check SHA256SUMS` inside it looks at a copy.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")

cpack --config "$build/CPackConfig.cmake" -G TXZ -B "$folder/made" >/dev/null
archive=$(basename "$folder"/made/bankside-*.tar.xz)
mv "$folder/made/$archive" "$folder/"
rm -r "$folder/made"

programs=()
for program in bin/bankside bin/bankside-window lib/libbankside.so; do
  if [ -e "$build/$program" ]; then programs+=("$build/$program"); fi
done
python3 "$(dirname "$0")/sbom.py" --version "$version" "${programs[@]}" >"$folder/${archive%.tar.xz}.cdx.json"
cd "$folder"
sha256sum "$archive" "${archive%.tar.xz}.cdx.json" >SHA256SUMS
cat SHA256SUMS
