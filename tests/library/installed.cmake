# Installs the library, builds the examples against it, and runs them: by find_package, and by pkg-config.
set(prefix ${WORK}/prefix)
set(expected "in the middle 80, at the edge 0\n")
file(REMOVE_RECURSE ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_run program)
  run(${program})
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} said ${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component library)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/examples -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
    "-DCMAKE_C_FLAGS=-std=c99 -Wall -Wextra -Wpedantic -Werror" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
run(${CMAKE_COMMAND} --build ${WORK}/examples)
foreach(program IN ITEMS edges-c edges-cpp edges-static)
  expect_run(${WORK}/examples/${program})
endforeach()

# The face without exceptions.
run(${CXX} -std=c++20 -fno-exceptions -fsyntax-only -I${prefix}/include -x c++ ${prefix}/include/bankside/bankside.hpp)

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB folder ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  run(${PKG_CONFIG} --cflags --libs bankside)
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${PKG_CONFIG} --variable=libdir bankside)
  string(STRIP "${output}" libdir)
  run(${CXX} -std=c++20 ${SOURCE}/edges.cpp -o ${WORK}/edges-pkg-config ${flags} -Wl,-rpath,${libdir})
  expect_run(${WORK}/edges-pkg-config)
endif()
