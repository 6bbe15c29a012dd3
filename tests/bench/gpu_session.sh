#!/bin/bash
# One session on a GPU host: tests, sanitizer on a reduced set, then measurements as JSON.
#   tests/bench/gpu_session.sh BIN_FOLDER OUT_FOLDER [tests|sanitize|figure7 ...]
# Programs must be built; nothing of the device is changed. Exits non-zero if a test fails.
set -u
bin=$1
out=$2
shift 2
steps=${*:-tests sanitize figure7}
mkdir -p "$out"
export BANKSIDE_REQUIRE_GPU=1
failed=0

check() { # NAME SECONDS COMMAND...: runs it, keeps its log, prints its last lines
  local name=$1 seconds=$2
  shift 2
  timeout "$seconds" "$@" > "$out/$name.log" 2>&1
  local code=$?
  echo "$name: exit $code"
  tail -n 4 "$out/$name.log"
  [ $code -eq 0 ] || failed=1
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
for step in $steps; do
  case $step in
    tests)
      check gpu-tests 300 "$bin/cuda-gpu-tests"
      check engine-tests 60 "$bin/cuda-engine-tests"
      check conformance 300 "$bin/conformance-tests" --gtest_filter='*cuda*:ConformanceProblems*'
      ;;
    sanitize)
      # A part of the problems: the tools slow kernels down a hundred times.
      check memcheck 200 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda*_p*5_*integers:*cuda*_p*0_*integers'
      check racecheck 200 compute-sanitizer --tool racecheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda*_p*7_*integers'
      ;;
    figure7)
      check figure7 500 "$bin/bankside" bench paper --figure 7 --no-progress --json "$out/figure7.json" \
        --csv "$out/figure7.csv" --markdown "$out/figure7.md" --svg "$out/charts"
      ;;
    *) echo "unknown step $step" && failed=1 ;;
  esac
done
exit $failed
