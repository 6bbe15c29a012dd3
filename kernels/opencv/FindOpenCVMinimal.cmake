# OpenCV's core and imgproc as the target OpenCVMinimal::OpenCVMinimal.
#
# Debian and Ubuntu ship OpenCVConfig.cmake only in libopencv-dev (206 packages, the whole of VTK and GTK among
# them). libopencv-core-dev and libopencv-imgproc-dev (9 packages) have the headers and the two libraries that are
# wanted here and no CMake file, so that they are looked for by hand. Headers count as SYSTEM either way: 4.6's
# give some thirty warnings in C++20.
include(FindPackageHandleStandardArgs)

find_package(OpenCV QUIET COMPONENTS core imgproc)
if(OpenCV_FOUND)
  set(OpenCVMinimal_VERSION ${OpenCV_VERSION})
  set(OpenCVMinimal_INCLUDE_DIR ${OpenCV_INCLUDE_DIRS})
  set(OpenCVMinimal_LIBRARIES opencv_core opencv_imgproc)
else()
  find_path(OpenCVMinimal_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
  find_library(OpenCVMinimal_core_LIBRARY opencv_core)
  find_library(OpenCVMinimal_imgproc_LIBRARY opencv_imgproc)
  mark_as_advanced(OpenCVMinimal_INCLUDE_DIR OpenCVMinimal_core_LIBRARY OpenCVMinimal_imgproc_LIBRARY)
  if(OpenCVMinimal_core_LIBRARY AND OpenCVMinimal_imgproc_LIBRARY)
    set(OpenCVMinimal_LIBRARIES ${OpenCVMinimal_imgproc_LIBRARY} ${OpenCVMinimal_core_LIBRARY})
  endif()
  if(OpenCVMinimal_INCLUDE_DIR)
    file(STRINGS ${OpenCVMinimal_INCLUDE_DIR}/opencv2/core/version.hpp lines REGEX "#define CV_VERSION_(MAJOR|MINOR|REVISION) ")
    string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
    list(JOIN numbers "." OpenCVMinimal_VERSION)
  endif()
endif()

find_package_handle_standard_args(OpenCVMinimal
  REQUIRED_VARS OpenCVMinimal_LIBRARIES OpenCVMinimal_INCLUDE_DIR
  VERSION_VAR OpenCVMinimal_VERSION)

if(OpenCVMinimal_FOUND AND NOT TARGET OpenCVMinimal::OpenCVMinimal)
  add_library(OpenCVMinimal::OpenCVMinimal INTERFACE IMPORTED)
  target_include_directories(OpenCVMinimal::OpenCVMinimal SYSTEM INTERFACE ${OpenCVMinimal_INCLUDE_DIR})
  target_link_libraries(OpenCVMinimal::OpenCVMinimal INTERFACE ${OpenCVMinimal_LIBRARIES})
endif()
