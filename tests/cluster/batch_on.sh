#!/bin/bash
# A batch on an engine of clusters, in shards; one of them is killed, and gone on with.
#   batch_on.sh slurm|parallel|snakemake|dask|ray BANKSIDE [FOLDER]     exit code 77 where the engine is not installed
# The results have to be those of an undisturbed run, and the audit clean.
set -euo pipefail
engine=$1 bankside=$2
shards=4 per_shard=${BANKSIDE_CLUSTER_IMAGES:-30}

skip() { echo "skipped: $*"; exit 77; }
need() { for program in "$@"; do command -v "$program" >/dev/null || skip "there is no $program"; done; }

case $engine in
  slurm) need slurmctld slurmd sbatch srun scontrol munged; [ "$(id -u)" -eq 0 ] || skip "its daemons want root"
    ! scontrol ping 2>/dev/null | grep -q "is UP" || skip "a Slurm runs here" ;;
  parallel) need parallel ;;
  snakemake) need snakemake ;;
  dask) python=${BANKSIDE_PYTHON3:-python3}
    "$python" -c "import dask.distributed" 2>/dev/null || skip "$python has no dask.distributed" ;;
  ray) python=${BANKSIDE_PYTHON3:-python3}
    "$python" -c "import ray" 2>/dev/null || skip "$python has no ray" ;;
  *) echo "no engine: $engine" >&2; exit 2 ;;
esac
given=${3:-}
folder=${given:-$(mktemp -d)}
mkdir -p "$folder"
manifest=$folder/study.jsonl
slurm_started=
stop_all() {
  local code=$? running
  for running in $(jobs -p); do kill "$running" 2>/dev/null || true; done
  if [ -n "$slurm_started" ]; then
    [ "$code" -eq 0 ] || cat "$folder"/slurm/*.log "$folder"/slurm/*.out 2>/dev/null | tail -40 || true
    scancel --full --signal=KILL --name=bankside 2>/dev/null || true  # of our own Slurm: SLURM_CONF says so
    for daemon in slurmctld slurmd munged; do
      running=$(cat "$folder/slurm/$daemon.pid" 2>/dev/null) || continue
      kill "$running" 2>/dev/null || true
      while kill -0 "$running" 2>/dev/null; do sleep 0.1; done  # it writes its state at its end
    done
  fi
  [ -n "$given" ] || rm -rf "$folder"
  exit "$code"
}
trap stop_all EXIT

make_images() {
  local count=$((shards * per_shard)) i
  for i in 0 1 2 3; do "$bankside" phantom --size 700 --seed $i --output "$folder/made/$i" >/dev/null; done
  mkdir -p "$folder/in/left" "$folder/in/right"
  for ((i = 0; i < count; ++i)); do
    cp "$folder/made/$((i % 4))/phantom.png" "$folder/in/$([ $((i % 2)) -eq 0 ] && echo left || echo right)/$i.png"
  done
}

plan() {  # manifest, results
  "$bankside" batch plan "$folder/in" "$2" --manifest "$1" --bank vessel-matched --channel green --combine max --no-responses
}

journal() { find "$manifest.journals" -name "*.$1-of-$shards.jsonl" 2>/dev/null | head -1; }
lines() { local file; file=$(journal "$1"); [ -n "$file" ] && wc -l <"$file" || echo 0; }

# Who writes the journal of a shard: others may be reading what it has done.
owner() { find /proc/[0-9]*/fd -lname "$(journal "$1")" -perm -200 2>/dev/null | head -1 | cut -d/ -f3 || true; }

kill_when_begun() {  # shard: after its first images
  until [ "$(lines "$1")" -ge 2 ]; do sleep 0.02; done
  local pid; pid=$(owner "$1")
  [ -n "$pid" ] && kill -9 "$pid" || { echo "shard $1 ended before it could be killed" >&2; exit 1; }
  echo "killed shard $1 after $(lines "$1") images"
}

start_slurm() {
  local own=$folder/slurm
  mkdir -p "$own/state" "$own/spool"
  dd if=/dev/urandom of="$own/munge.key" bs=1k count=1 status=none
  chmod 600 "$own/munge.key"
  munged --force --socket="$own/munge.socket" --key-file="$own/munge.key" --pid-file="$own/munged.pid" \
    --log-file="$own/munged.log" --seed-file="$own/munge.seed"
  cat >"$own/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$own/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$own/state
SlurmdSpoolDir=$own/spool
SlurmctldPidFile=$own/slurmctld.pid
SlurmdPidFile=$own/slurmd.pid
SlurmctldLogFile=$own/slurmctld.log
SlurmdLogFile=$own/slurmd.log
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=$(hostname) Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$own/slurm.conf
  slurm_started=yes
  slurmctld
  until scontrol ping 2>/dev/null | grep -q "is UP"; do sleep 0.2; done
  slurmd
  until sinfo -h -o %T 2>/dev/null | grep -q idle; do sleep 0.2; done
}

on_slurm() {
  start_slurm
  "$bankside" batch emit slurm --manifest "$manifest" --shards $shards --gigabytes 1 --program "$bankside" >"$folder/job.sh"
  local job
  job=$(sbatch --parsable --output="$folder/slurm/%a.out" "$folder/job.sh")
  kill_when_begun 2
  # Slurm must have seen that the task ended before it can be queued again.
  until scontrol show job "${job}_2" | grep -q "JobState=FAILED"; do sleep 0.1; done
  scontrol requeue "${job}_2"
  scontrol update "JobId=${job}_2" StartTime=now  # and not in two minutes
  while [ -n "$(squeue -h -j "$job" 2>/dev/null)" ]; do sleep 0.2; done
  scontrol show job "${job}_2" | grep -E "JobState|Restarts"
}

on_parallel() {
  "$bankside" batch emit parallel --manifest "$manifest" --shards $shards --at-once 2 --program "$bankside" >"$folder/job.sh"
  bash "$folder/job.sh" 2>"$folder/parallel.log" & local running=$!
  kill_when_begun 1
  if wait $running; then echo "a killed shard was no failure" >&2; exit 1; fi
  bash "$folder/job.sh" 2>>"$folder/parallel.log"
}

on_snakemake() {
  "$bankside" batch emit snakemake --manifest "$manifest" --shards $shards --program "$bankside" >"$folder/Snakefile"
  (cd "$folder" && snakemake --snakefile Snakefile --cores 2 >"$folder/snakemake.log" 2>&1) & local running=$!
  kill_when_begun 1
  wait $running || { tail -30 "$folder/snakemake.log"; exit 1; }
}

on_python() {  # dask or ray
  "$bankside" batch emit "$engine" --manifest "$manifest" --shards $shards --at-once 4 --program "$bankside" >"$folder/study.py"
  "$python" "$folder/study.py" >"$folder/$engine.log" 2>&1 & local running=$!
  kill_when_begun 1
  wait $running || { tail -30 "$folder/$engine.log"; exit 1; }
}
on_dask() { on_python; }
on_ray() { on_python; }

make_images
plan "$folder/undisturbed.jsonl" "$folder/undisturbed"
"$bankside" batch run --manifest "$folder/undisturbed.jsonl" --no-progress
plan "$manifest" "$folder/out"
"on_$engine"
"$bankside" batch merge --manifest "$manifest" --json "$folder/report.json" --csv "$folder/report.csv"
"$bankside" batch audit --manifest "$manifest"
diff -r "$folder/undisturbed" "$folder/out"
echo "$engine: the same $(find "$folder/out" -type f | wc -l) results as undisturbed"
