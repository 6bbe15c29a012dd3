# The C ABI that the public header declares, held against the kept dump. Of each declaration a definition is made, so
# that its types are in a library's debug information and no others. With RENEW the dump is written instead.
# A change that old programs cannot tell (a field at the end of a sized structure, a function more) fails here too: it
# is kept by renewing the dump.
find_program(ABIDIFF abidiff)
find_program(ABIDW abidw)
if(NOT ABIDIFF OR NOT ABIDW)
  message("skipped: abidiff is not installed (Debian's abigail-tools)")
  return()
endif()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${output}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
file(READ ${LIBRARY}/include/bankside/bankside.h header)
set(dump ${LIBRARY}/abi/libbankside.abi)

function(build name text)
  string(REPLACE "BK_NOEXCEPT;" "{ __builtin_trap(); }" definitions "${text}")
  file(WRITE ${WORK}/${name}.c "${definitions}")
  run(${CXX} -x c -std=c11 -g -O0 -fPIC -shared -nostdlib -Wl,--version-script=${LIBRARY}/exports.map
      -Wl,-soname,libbankside.so.0 -ffile-prefix-map=${WORK}/= -o ${WORK}/${name}.so ${WORK}/${name}.c)
endfunction()

build(library "${header}")
if(RENEW)
  run(${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture
      --exported-interfaces-only --out-file ${dump} ${WORK}/library.so)
endif()
run(${ABIDIFF} --no-architecture ${dump} ${WORK}/library.so)

# That a change is seen.
string(REPLACE "int32_t threads;" "int64_t threads;" other "${header}")
build(other "${other}")
execute_process(COMMAND ${ABIDIFF} --no-architecture ${dump} ${WORK}/other.so RESULT_VARIABLE code OUTPUT_VARIABLE output)
if(NOT output MATCHES "bk_context_options")
  message(FATAL_ERROR "abidiff does not see a wider field: ${code}\n${output}")
endif()
