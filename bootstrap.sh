#!/usr/bin/env bash
# Bankside's two commands, on a fresh Debian 12 or Ubuntu 24.04 machine as root or with sudo:
#   ./bootstrap.sh run    installs what is missing, builds, and shows the main job on a bundled fundus photograph
#   ./bootstrap.sh test   the same set-up, then the whole test suite, plain and under sanitizers
# Both can be repeated in seconds. Everything made lies in build/ and build-asan/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=(build-essential cmake ninja-build ccache pkg-config
  libopencv-core-dev libopencv-imgproc-dev libhwy-dev libtbb-dev libcli11-dev nlohmann-json3-dev
  libpng-dev libtiff-dev libjpeg-dev libgtest-dev libgmock-dev
  qt6-base-dev xvfb xauth fonts-dejavu-core python3)

python=  # what the module is built for, where it is not the system's own

say() { printf '== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"
  else echo "bootstrap: run as root or install sudo; it needs to: $*" >&2; exit 1; fi
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
  command -v apt-get >/dev/null || { echo "bootstrap: needs apt-get (Debian 12 or Ubuntu 24.04)" >&2; exit 1; }
  local missing=()
  for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
  if [ ${#missing[@]} -eq 0 ]; then say "packages: all ${#packages[@]} are installed"; return; fi
  say "packages: installing ${missing[*]}"
  as_root apt-get -o DPkg::Lock::Timeout=300 update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

find_cuda() {
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="/usr/local/cuda/bin:$PATH"; fi
  if command -v nvcc >/dev/null; then say "CUDA: $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/nvcc \1 found, its sources are compiled too/p')"
  else say "CUDA: no nvcc found, the CUDA engines are left out (install the CUDA Toolkit to have them)"; fi
}

# Neither Debian 12 nor Ubuntu 24.04 has nanobind: a virtual environment has it, where there is a network, and what judges
# the module beside it: SciPy and its tests, random calls, types.
find_python() {
  local venv=build/python-venv parts="nanobind numpy scipy pytest hypothesis mypy"
  local ready=("$venv/bin/python" -c "import ${parts// /, }")
  if ! "${ready[@]}" 2>/dev/null; then
    say "Python: fetching $parts into $venv"
    mkdir -p build
    # shellcheck disable=SC2086  # words
    python3 -m venv "$venv" && "$venv/bin/pip" -q --retries 1 install $parts >build/python-venv.log 2>&1 || true
  fi
  if "${ready[@]}" 2>/dev/null; then python=$PWD/$venv/bin/python
  else say "Python: nanobind could not be fetched (build/python-venv.log), the module's tests are skipped"; fi
}

configure_and_build() {  # preset, targets...
  local preset=$1 folder log
  shift
  folder=$([ "$preset" = asan ] && echo build-asan || echo build)
  mkdir -p "$folder"
  log=$folder/configure.log
  say "configuring $folder ($preset)"
  # A warning is an error where we test ourselves, not on somebody's other compiler, and not under sanitizers, whose
  # code makes GCC guess wrong.
  local strict=OFF
  if [ -n "${CI:-}" ] && [ "$preset" = release ]; then strict=ON; fi
  cmake --preset "$preset" -DCMAKE_COMPILE_WARNING_AS_ERROR=$strict ${python:+"-DPython_EXECUTABLE=$python"} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  sed -n '/^-- Bankside/p' "$log"
  say "building $folder with $(nproc) jobs"
  cmake --build "$folder" -j "$(nproc)" ${1:+--target "$@"} >"$folder/build.log" 2>&1 || { tail -60 "$folder/build.log" >&2; exit 1; }
}

show_main_job() {
  local out=build/run photograph=assets/images/retina.jpg
  local recipe=("$photograph" --recipe vessels --scale 31)
  local bank=("$photograph" --bank vessel-matched --channel green --combine max)
  say "finding the vessels of $photograph"
  build/bin/bankside filter "${recipe[@]}" --verify opencv --force --output "$out"
  build/bin/bankside filter "${recipe[@]}" --format png --map stretch --force --output "$out"
  say "one vessel bank beside OpenCV, every pixel judged"
  build/bin/bankside filter "${bank[@]}" --no-responses --verify all --force --output "$out"
  build/bin/bankside compare "${bank[@]}" --seconds 3 --json "$out/compare.json" --markdown "$out/compare.md"
  say "to look at: $out/retina.vesselness.png; every value: $out/retina.vesselness.tiff; report: $out/compare.json"
  if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "building and opening the window"
    cmake --build build -j "$(nproc)" --target bankside-window >>build/build.log 2>&1 && build/bin/bankside-window "$photograph"
  fi
}

run_tests() {
  say "tests"
  ctest --test-dir build --output-on-failure -j "$(nproc)"
  configure_and_build asan
  say "tests under AddressSanitizer and UndefinedBehaviorSanitizer"
  ctest --test-dir build-asan --output-on-failure -j "$(nproc)" -L cpu
}

case "${1:-}" in
  run) install_packages; find_cuda; configure_and_build release bankside; show_main_job ;;
  test) packages+=(libdnnl-dev python3-pil python3-tifffile abigail-tools lintian python3-dev python3-venv); install_packages; find_cuda; find_python; configure_and_build release; run_tests ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
