#!/bin/bash
# The library and the Python module on a GPU: every test of theirs that needs one, then what a call costs the host and
# how long PyTorch's own convolution takes beside.
#   tests/bench/library_gpu.sh BIN_FOLDER OUT_FOLDER
# BIN_FOLDER: what tests/bench/gpu_bundle.sh makes of a build with library-gpu-tests, library-device-call-cost and
# bankside_python, for the python3 of the host, which needs numpy, torch and cupy. Exits non-zero if a test fails.
set -u
bin=$(cd "$1" && pwd)
out=$2
mkdir -p "$out"
export BANKSIDE_REQUIRE_GPU=1 LD_LIBRARY_PATH="$bin:${LD_LIBRARY_PATH:-}" PYTHONPATH="$bin/python"
failed=0

check() { # NAME SECONDS COMMAND...: runs it, keeps its log and shows its end
  local name=$1 seconds=$2 code
  shift 2
  timeout "$seconds" "$@" > "$out/$name.log" 2>&1
  code=$?
  echo "$name: exit $code"
  tail -n 12 "$out/$name.log"
  [ "$code" -eq 0 ] || failed=1
}

check library-gpu-tests 240 "$bin/library-gpu-tests" --gtest_brief=1
check python-device 240 python3 -B "$bin/device_test.py"
check call-cost 60 sh -c '"$1/library-device-call-cost" | tee "$2/call-cost.json"' sh "$bin" "$out"
check torch 240 python3 -B "$bin/library_gpu.py" --json "$out/torch.json"
exit $failed
