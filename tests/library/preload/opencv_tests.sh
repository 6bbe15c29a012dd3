#!/bin/bash
# OpenCV's own C++ tests of its filters: as they are, with filter2D replaced by LD_PRELOAD, and in an OpenCV that was
# built with our HAL. Passes where ours fail no test that OpenCV's own code passes.
#   tests/library/preload/opencv_tests.sh BUILD OPENCV_SOURCE WORK_FOLDER
# BUILD: of bankside-filter2d, bankside-opencv-hal, libbankside and libbankside-static. OPENCV_SOURCE: 4.6 was tried
# (apt-get source opencv). Tests that want pictures of opencv_extra fail in all three. Most of an hour of two cores.
set -eu
build=$(realpath "$1")
source=$(realpath "$2")
mkdir -p "$3"
work=$(realpath "$3")
tests='Imgproc_Filter2D*:Imgproc_Laplace*:Imgproc_Sobel*:Imgproc_SpatialGradient*:Imgproc_Filtering*:Imgproc.*'
tests+=':Imgproc_Blur*:Imgproc_GaussianBlur*:GaussianBlur_Bitexact*:Imgproc_Canny*:Imgproc_MinEigenVal*'
tests+=':Imgproc_EigenValsVecs*:Imgproc_PreCorner*:-*OCL*'

for component in library development; do
  cmake --install "$build" --component $component --prefix "$work/prefix" > "$work/install.log"
done

made() { # OPTION...: OpenCV's modules that its tests of imgproc need, and those tests
  local off=()
  for part in IPP OPENCL FFMPEG GSTREAMER V4L 1394 GTK QT JPEG PNG TIFF WEBP OPENEXR JASPER OPENJPEG ITT LAPACK EIGEN \
    PROTOBUF ADE QUIRC VA; do off+=("-DWITH_$part=OFF"); done
  cmake -S "$source" -B "$work/opencv" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_PERF_TESTS=OFF -DBUILD_JAVA=OFF \
    -DBUILD_LIST=core,imgproc,imgcodecs,videoio,highgui,ts -DBUILD_opencv_apps=OFF -DENABLE_PRECOMPILED_HEADERS=OFF \
    "${off[@]}" "$@" > "$work/configured.log"
  cmake --build "$work/opencv" --target opencv_test_imgproc > "$work/built.log"
}

ran() { # NAME: the tests that fail
  "$work/opencv/bin/opencv_test_imgproc" --gtest_filter="$tests" > "$work/$1.log" 2>&1 || true
  grep '^\[==========\] .* ran' "$work/$1.log" || { echo "$1: the tests did not end" >&2; exit 1; }
  sed -n 's/^\[  FAILED  \] \([^ ,]*\)$/\1/p' "$work/$1.log" | sort -u > "$work/$1.failed"
}

same() { # NAME
  local more
  more=$(comm -13 "$work/plain.failed" "$work/$1.failed")
  [ -z "$more" ] || { echo "$1: fails where OpenCV's own passes: $more" >&2; exit 1; }
  echo "$1: fails nothing that OpenCV's own passes"
}

made -DOpenCV_HAL=OpenCV_HAL
ran plain
preload="$work/prefix/lib/bankside/libbankside-filter2d.so"
for mode in report all; do
  LD_PRELOAD=$preload BANKSIDE_PRELOAD=$mode ran $mode
  same $mode
done
echo "taken: $(grep -c ' taken, ' "$work/report.log") kinds of call"
made -DOpenCV_HAL=BanksideHAL "-DBanksideHAL_DIR=$work/prefix/lib/cmake/BanksideHAL"
grep -q 'Custom HAL: *YES (BanksideHAL' "$work/configured.log" || { echo "OpenCV did not take the HAL" >&2; exit 1; }
ran hal
same hal
