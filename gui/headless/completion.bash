# bash completion for bankside; `source <(bankside completion)`
_bankside_files() {  # adds files and folders, whose names may hold blanks
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}
_bankside() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command="" w
  for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $w in filter|batch|evaluate|compare|banks|devices|verify|bench|phantom|completion) command=$w; break ;; esac
  done
  local banks='$(bankside banks list 2>/dev/null | awk "NR>1 && NF==0{exit} NR>1{print \$1}")'
  local recipes='$(bankside banks list 2>/dev/null | awk "second && NF==0{exit} second{print \$1} \$1==\"recipe\"{second=1}")'
  local engines='auto $(bankside devices 2>/dev/null | awk "NR>1 && NF==0{exit} NR>1{print \$1}")'
  case $before in
    --bank|-b|--then|show|export|analyze) COMPREPLY=($(compgen -W "$(eval echo "$banks")" -- "$word")); _bankside_files; return ;;
    --recipe) COMPREPLY=($(compgen -W "$(eval echo "$recipes")" -- "$word")); _bankside_files; return ;;
    --engine|--engines|-e) COMPREPLY=($(compgen -W "$(eval echo "$engines")" -- "$word")); __ltrim_colon_completions "$word" 2>/dev/null; return ;;
    --border) COMPREPLY=($(compgen -W "constant constant= replicate reflect reflect101 wrap" -- "$word")); return ;;
    --mode|--then-mode) COMPREPLY=($(compgen -W "correlation convolution" -- "$word")); return ;;
    --activation) COMPREPLY=($(compgen -W "none abs relu square" -- "$word")); return ;;
    --combine|--then-combine) COMPREPLY=($(compgen -W "none max absmax argmax mean sum magnitude" -- "$word")); return ;;
    --channel) COMPREPLY=($(compgen -W "auto luma red green blue all pages" -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W "tiff png npy pfm" -- "$word")); return ;;
    --compression) COMPREPLY=($(compgen -W "none deflate zstd" -- "$word")); return ;;
    --map) COMPREPLY=($(compgen -W "none clip stretch" -- "$word")); return ;;
    --verify-done) COMPREPLY=($(compgen -W "size hash" -- "$word")); return ;;
    emit) COMPREPLY=($(compgen -W "slurm kubernetes snakemake nextflow parallel dask" -- "$word")); return ;;
    --verify) COMPREPLY=($(compgen -W "off reference opencv all" -- "$word")); return ;;
    --precision) COMPREPLY=($(compgen -W "exact fp32 fp16" -- "$word")); return ;;
    --bank-kind) COMPREPLY=($(compgen -W "dense separable vessel" -- "$word")); return ;;
    --types) COMPREPLY=($(compgen -W "u8 u16 f16 f32 u8,f32" -- "$word")); return ;;
    --threads) COMPREPLY=($(compgen -W "1 2 4 8 16 all" -- "$word")); return ;;
  esac
  local common="--max-pixels --untrusted --bank --border --mode --combine --activation --then --then-mode --then-combine --channel --page --threads --no-progress --help" options=""
  case $command in
    filter) options="$common --output --engine --precision --format --compression --map --responses --no-responses --verify --memory --report --recipe --save-recipe --scale --field --force" ;;
    batch) options="plan run merge audit emit $common --manifest --glob --list --engine --precision --format --compression --map --responses --no-responses --verify --sample --memory --recipe --scale --field --shard --shards --input --output --max-failures --verify-done --at-once --gigabytes --minutes --program --image --volume --mount --json --csv --sheet --plan-anew --force" ;;
    evaluate) options="--images --responses --truth --fov --observer2 --bank --border --mode --combine --activation --channel --then --then-mode --then-combine --engine --precision --recipe --scale --field --threshold --threshold-from --json --csv --markdown --plot --overlays --threads --memory --max-pixels --untrusted --force --no-progress --help" ;;
    compare) options="$common --engines --precision --rounds --seconds --no-verify --json --csv --markdown" ;;
    banks) options="list show export formats analyze detect --taps --format --filter --force --help" ;;
    verify) options="--engine --problem --help" ;;
    bench) options="cpu limits paper tune bank-width device --tables --kinds --figure --sizes --filter-sizes --filters --channels --grid --claims --counters --types --threads --combine --images --sustained --bank --bank-kind --engines --precision --seconds --rounds --timeout --quick --with-rows --no-verify --no-limits --json --csv --markdown --no-progress --help" ;;
    phantom) options="--output --size --seed --mosaic --force --help" ;;
    devices|completion) options="--help" ;;
    *) options="filter batch evaluate compare banks devices verify bench phantom completion --help --version" ;;
  esac
  if [[ $word == -* || -z $command || $command == banks || $command == bench ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=(); _bankside_files
  fi
}
complete -o filenames -F _bankside bankside
