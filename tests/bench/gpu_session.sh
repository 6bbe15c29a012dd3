#!/bin/bash
# One session on a GPU host: tests, sanitizer on a reduced set, then measurements as JSON.
#   tests/bench/gpu_session.sh BIN_FOLDER OUT_FOLDER [STEP ...]
# Steps: tests sanitize figure7 (the default),
#   tensor            time over filter size, cuDNN beside it, and the maximum of vessel-matched
#   warps-tests       cuda:tensor by mma.sync: programs of a build with BANKSIDE_CUDA_ARCHITECTURES=80-virtual
#   warps-sanitize    memcheck and racecheck over a part of them
#   warps             its times beside the FP32 units'
#   bytes             bytes that the memory counts for K = 3, F = 8, N = 4096
# and for several channels
#   general-tests     kernels and peers that no GPU has run yet, then what else uses them
#   general-sanitize  memcheck and racecheck over the new kernels
#   batches           several images a launch: bytes in a stack, memcheck, times of an image with cuDNN's beside
#   counters          hardware counters of Table 1's kernel, for figure8
#   figure8           27 cells, every engine and peer, and the paper's claims (with counters where they are)
#   tune8             shapes and splits of the multichannel kernel over those cells
#   full3 full5 full7 the whole grid, 48 cells a filter size
#   counters7         hardware counters of Algorithm 1's kernel, and what the paper claims of it
#   units             the bank-width model, Algorithm 2 among it
# Programs must be built; nothing of the device is changed. Exits non-zero if a test fails.
set -u
bin=$1
out=$2
shift 2
steps=${*:-tests sanitize figure7}
mkdir -p "$out"
export BANKSIDE_REQUIRE_GPU=1
failed=0

report() { # NAME CODE: how it ended, and its log's last lines
  echo "$1: exit $2"
  tail -n 4 "$out/$1.log"
  [ "$2" -eq 0 ] || failed=1
}

check() { # NAME SECONDS COMMAND...: runs it and keeps its log
  local name=$1 seconds=$2
  shift 2
  timeout "$seconds" "$@" > "$out/$name.log" 2>&1
  report "$name" $?
}

side_by_side() { # As check, for tests: a share of them in a process for every processor
  local name=$1 seconds=$2 shares i runs=()
  shift 2
  shares=$(nproc)
  for ((i = 0; i < shares; ++i)); do
    GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$i timeout "$seconds" "$@" > "$out/$name.$i.log" 2>&1 &
    runs+=($!)
  done
  for ((i = 0; i < shares; ++i)); do
    wait "${runs[i]}"
    report "$name.$i" $?
  done
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
for step in $steps; do
  case $step in
    tests)
      check gpu-tests 300 "$bin/cuda-gpu-tests"
      check engine-tests 60 "$bin/cuda-engine-tests"
      check tensor-tests 120 "$bin/tensor-gpu-tests"
      check conformance 300 "$bin/conformance-tests" --gtest_filter='*cuda*:ConformanceProblems*'
      ;;
    sanitize)
      # All problems of one channel: half a minute in memcheck, eight minutes in racecheck, side by side.
      check memcheck 300 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda_tensor*:*cuda_single_channel_p*'
      check memcheck-others 200 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda*_p*5_*integers:*cuda*_p*0_*integers'
      side_by_side racecheck 900 compute-sanitizer --tool racecheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda_tensor*:*cuda_single_channel_p*'
      check racecheck-others 200 compute-sanitizer --tool racecheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda*_p*7_*integers'
      ;;
    figure7)
      check figure7 1500 "$bin/bankside" bench paper --figure 7 --no-progress --json "$out/figure7.json" \
        --engines cuda:single-channel,cuda:single-channel-paper,cuda:tensor,cudnn:fma,cudnn:tf32,npp:filter-border,cufft:bank \
        --csv "$out/figure7.csv" --markdown "$out/figure7.md"
      ;;
    tensor)
      check tensor 400 "$bin/bankside" bench device --sizes 4096 --filters 1,8,12,32 --types u8,f32 \
        --filter-sizes 3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 --no-progress \
        --engines cuda:tensor,cuda:tensor-fp16,cuda:single-channel,cuda:fft,cudnn:fma,cudnn:tf32,cudnn:fp16 \
        --json "$out/tensor-chart.json" --csv "$out/tensor-chart.csv"
      check vessel 60 "$bin/bankside" bench device c1h4096w4096-f12k15-reflect101-u8:f32-max --bank vessel-matched \
        --engines cuda:tensor,cuda:single-channel --no-progress --json "$out/vessel.json"
      check integers 60 "$bin/bankside" bench device c1h4096w4096-f12k15-reflect101-u8:f32-{none,max,argmax} \
        --bank vessel-matched:integers=10 --engines cuda:tensor,cuda:single-channel --sustained --no-progress \
        --json "$out/tensor-integers.json"
      check fp16 120 "$bin/bankside" bench device --sizes 4096 --filters 8,12,32 --types u8,u16,f32 \
        --filter-sizes 7,11,15,21,31 --combine max --engines cuda:tensor-fp16,cuda:tensor --no-progress \
        --json "$out/tensor-fp16.json"
      ;;
    warps-tests)
      "$bin/bankside" devices | tee "$out/warps-devices.log" | grep 'cuda:tensor '
      grep -q 'by mma.sync' "$out/warps-devices.log" || failed=1
      check warps-tests 500 "$bin/tensor-gpu-tests" --gtest_output="xml:$out/warps-accuracy.xml"
      side_by_side warps-conformance 500 "$bin/conformance-tests" --gtest_filter='*cuda_tensor*'
      ;;
    warps-sanitize)
      side_by_side warps-memcheck 500 compute-sanitizer --tool memcheck --error-exitcode 9 \
        "$bin/conformance-tests" --gtest_filter='*cuda_tensor_p*'
      side_by_side warps-racecheck 500 compute-sanitizer --tool racecheck --error-exitcode 9 \
        "$bin/conformance-tests" --gtest_filter='*cuda_tensor_p*5_*:*cuda_tensor_p*0_*'
      ;;
    warps)
      check warps 500 "$bin/bankside" bench device \
        c1h4096w4096-f12k15-reflect101-u8:f32-{none,max} c1h4096w4096-f12k15-reflect101-f32:f32-none \
        c1h4096w4096-f32k7-reflect101-{u8,f32}:f32-none c1h4096w4096-f12k31-reflect101-{u8,f32}:f32-none \
        c1h4096w4096-f8k9-reflect101-{u8,f32}:f32-none c1h1024w1024-f12k15-reflect101-u8:f32-none \
        --engines cuda:tensor,cuda:tensor-fp16,cuda:single-channel --no-progress --json "$out/tensor-warps.json" \
        --csv "$out/tensor-warps.csv"
      ;;
    bytes)
      timeout 60 ncu --clock-control none --cache-control none --csv --print-units base \
        --kernel-name regex:registerRowsKernel --launch-skip 2 --launch-count 2 \
        --metrics dram__bytes_read.sum,dram__bytes_write.sum,gpu__time_duration.sum \
        "$bin/bankside" bench device c1h4096w4096-f8k3-reflect101-f32:f32-none --engines cuda:single-channel \
        --no-progress > "$out/bytes.csv" 2> "$out/bytes.log"
      if grep -q registerRowsKernel "$out/bytes.csv"; then grep '"' "$out/bytes.csv"; else failed=1; fi
      ;;
    batches)
      check batches-test 120 "$bin/multichannel-gpu-tests" --gtest_filter='ImageBatch.*'
      cat "$out/batches-test.log"
      check batches-memcheck 250 compute-sanitizer --tool memcheck --error-exitcode 9 \
        "$bin/multichannel-gpu-tests" --gtest_filter='ImageBatch.*'
      problems=()
      for k in 3 5 7; do
        problems+=("c64h32w32-f128k$k-constant-f32:f32-none" "c128h32w32-f128k$k-constant-f32:f32-none"
          "c64h64w64-f64k$k-constant-f32:f32-none" "c64h128w128-f64k$k-constant-f32:f32-none")
      done
      check batches 400 "$bin/bankside" bench device "${problems[@]}" --images 1,2,4,8,16,32 \
        --engines cuda:multichannel,cuda:multichannel-fp16x3,cudnn:fma --no-progress --json "$out/batches.json" --csv "$out/batches.csv"
      ;;
    general-tests)
      check multichannel-tests 200 "$bin/multichannel-gpu-tests"
      check general-conformance 250 "$bin/conformance-tests" \
        --gtest_filter='*cuda_multichannel*:*cudnn*:*cublas*:ConformanceProblems*'
      ;;
    general-sanitize)
      check memcheck-half 150 compute-sanitizer --tool memcheck --error-exitcode 9 \
        "$bin/multichannel-gpu-tests" --gtest_filter='HalfKernel.*'
      check memcheck-peers 120 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cublas*_p*5_*integers:*cuda_multichannel_fp16*_p*5_*integers'
      check racecheck-half 150 compute-sanitizer --tool racecheck --error-exitcode 9 "$bin/conformance-tests" \
        --gtest_filter='*cuda_multichannel_fp16*_p*7_*integers'
      ;;
    counters)
      mkdir -p "$out/counters"
      for k in 3 5 7; do
        # Some profilers know a counter by one name, some by the other.
        for loads in smsp__inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_ld.sum; do
          timeout 90 ncu --clock-control none --csv --print-units base --kernel-name regex:summedKernel \
            --launch-count 1 --metrics "$loads,lts__t_sectors_srcunit_tex_op_read.sum,\
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum" \
            "$bin/bankside" bench device "c64h256w256-f64k$k-constant-f32:f32-none" \
            --engines cuda:multichannel-paper --no-progress > "$out/counters/k$k.csv" 2> "$out/counters/k$k.log"
          grep -q summedKernel "$out/counters/k$k.csv" && break
        done
        if grep -q summedKernel "$out/counters/k$k.csv"; then echo "counters: k$k"; else failed=1; fi
      done
      ;;
    counters7)
      mkdir -p "$out/counters7"
      for k in 1 3 5; do
        timeout 90 ncu --clock-control none --csv --print-units base --kernel-name regex:paperKernel \
          --launch-count 1 --metrics "lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_write.sum,\
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum" \
          "$bin/bankside" bench device "c1h4096w4096-f8k$k-reflect101-f32:f32-none" \
          --engines cuda:single-channel-paper --no-progress > "$out/counters7/k$k.csv" 2> "$out/counters7/k$k.log"
        if grep -q paperKernel "$out/counters7/k$k.csv"; then echo "counters: k$k"; else failed=1; fi
      done
      check claims7 200 "$bin/bankside" bench paper --figure 7 --claims --counters "$out/counters7" --sizes 4096 \
        --filter-sizes 1,3,5 --filters 8 --engines cuda:single-channel-paper,cudnn:fma --no-progress \
        --json "$out/figure7-claims.json"
      ;;
    figure8)
      counters=()
      grep -qs summedKernel "$out/counters/k7.csv" && counters=(--counters "$out/counters")
      check figure8 550 "$bin/bankside" bench paper --figure 8 --claims "${counters[@]}" --no-progress \
        --json "$out/figure8.json" --csv "$out/figure8.csv" --markdown "$out/figure8.md"
      ;;
    full3 | full5 | full7)
      k=${step#full}
      check "figure8-full-k$k" 550 "$bin/bankside" bench paper --figure 8 --grid full \
        --filter-sizes "$k" --no-progress \
        --engines cuda:multichannel,cuda:multichannel-fp16x3,cuda:multichannel-fp16,cudnn:fma,cudnn:tf32,cudnn:fp16,cublas:im2col \
        --json "$out/figure8-full-k$k.json" --markdown "$out/figure8-full-k$k.md"
      ;;
    tune8)
      # A filter size a run: what was found for the others stays in the table.
      for k in 3 5 7; do
        check "tune8-k$k" 300 "$bin/bankside" bench tune --figure 8 --filter-sizes "$k" --no-progress \
          --tables "$out/tuning" --json "$out/tune8-k$k.json"
      done
      ;;
    units)
      check units 120 "$bin/bankside" bench bank-width --json "$out/bank-width.json" \
        --markdown "$out/bank-width.md"
      ;;
    *) echo "unknown step $step" && failed=1 ;;
  esac
done
exit $failed
