# Read by cpack for each generator: which components there are, and what Debian is told of them.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL portable)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  return()
endif()

set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(NOT CPACK_DEBIAN_COMPRESSION_TYPE)
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bankside)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "filter banks over images, from the command line
 Edge detection, smoothing and matched filters that find retinal vessels, over
 grayscale and multichannel images, single files or studies of millions; side
 by side with OpenCV's filter2D. On the CPU or an NVIDIA GPU.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libbankside0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CPACK_BANKSIDE_SOURCE}/packages/triggers
    ${CPACK_BANKSIDE_SOURCE}/packages/shlibs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "filter banks over images, as a library
 The CPU engines of Bankside behind a C interface, and a shared object that
 computes filter2D in programs that were built with OpenCV.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbankside-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libbankside0 (= ${CPACK_PACKAGE_VERSION}), libtbb-dev, zlib1g-dev${CPACK_BANKSIDE_HIGHWAY_PACKAGE}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "filter banks over images, to build programs with
 Headers for C and C++20, the static library, and files for CMake and
 pkg-config.")

if(CPACK_BANKSIDE_WINDOW)
  list(APPEND CPACK_COMPONENTS_ALL window)
  set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME bankside-window)
  set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION science)
  set(CPACK_COMPONENT_WINDOW_DESCRIPTION "filter banks over images, in a window
 Banks and their taps beside the responses, deep zoom, comparison with
 OpenCV's filter2D, recipes and their evaluation against experts.")
endif()
