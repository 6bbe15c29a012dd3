#!/bin/bash
# What a session on a GPU host needs, in one folder and one archive: programs, and the shared libraries that
# such a host may lack.
#   tests/bench/gpu_bundle.sh BUILD_FOLDER OUT_FOLDER
# Build small: cmake --preset release -DBANKSIDE_WINDOW=OFF -DBANKSIDE_OPENCV=OFF -DBANKSIDE_CUDA_TRIALS=ON
#   -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON (no oneDNN), targets as below. On the host, with the folder's name:
#   LD_LIBRARY_PATH=BUNDLE:$LD_LIBRARY_PATH BUNDLE/gpu_session.sh BUNDLE OUT STEP ...
# cuDNN, cuBLAS, cuFFT and NPP are found through LD_LIBRARY_PATH as well, where they are.
set -eu
build=$1
out=$2
mkdir -p "$out"
programs=()
for name in bankside conformance-tests multichannel-gpu-tests cuda-gpu-tests cuda-engine-tests \
  tensor-gpu-tests library-gpu-tests library-device-call-cost; do
  [ -x "$build/bin/$name" ] || continue
  cp "$build/bin/$name" "$out/"
  strip "$out/$name"
  programs+=("$build/bin/$name")
done
[ ${#programs[@]} -gt 0 ] || { echo "no program in $build/bin" >&2; exit 1; }
# The Python module as it was built, and what runs it.
if [ -d "$build/python/bankside" ]; then
  mkdir -p "$out/python"
  cp -r "$build/python/bankside" "$out/python/"
  rm -rf "$out"/python/bankside/__pycache__
  strip "$out"/python/bankside/_core.*.so
  programs+=("$build"/python/bankside/_core.*.so)
  cp "$(dirname "$0")"/library_gpu.{sh,py} "$(dirname "$0")/../../python/tests/device_test.py" "$out/"
fi
# All but the C and C++ runtime.
ldd "${programs[@]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
  while read -r library; do cp -L "$library" "$out/"; done
cp "$(dirname "$0")/gpu_session.sh" "$out/"
tar -C "$out" -czf "$out.tar.gz" .
du -sh "$out" "$out.tar.gz"
