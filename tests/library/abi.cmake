# The C ABI that the public header declares, held against the kept dump. Of each declaration a definition is made, so
# that its types are in a library's debug information and no others. Fields hold the numbers of enumerations as int32_t:
# a function that takes it keeps each in the dump. With RENEW the dump is written instead.
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
  string(REGEX MATCHALL "typedef enum bk_[a-z_]+" enumerations "${text}")
  foreach(enumeration IN LISTS enumerations)
    string(REPLACE "typedef enum " "" enumeration "${enumeration}")
    string(APPEND definitions "BK_API void ${enumeration}_numbers(${enumeration} number) { (void)number; }\n")
  endforeach()
  file(WRITE ${WORK}/${name}.c "${definitions}")
  run(${CXX} -x c -std=c11 -g -O0 -fPIC -shared -nostdlib -Wl,--version-script=${LIBRARY}/exports.map
      -Wl,-soname,libbankside.so.0 -ffile-prefix-map=${WORK}/= -o ${WORK}/${name}.so ${WORK}/${name}.c)
endfunction()

build(library "${header}")
if(RENEW)
  run(${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture
      --exported-interfaces-only --out-file ${dump} ${WORK}/library.so)
endif()
run(${ABIDIFF} --harmless --no-architecture ${dump} ${WORK}/library.so)

# That a change is seen.
function(expect_seen what old new)
  string(REPLACE "${old}" "${new}" other "${header}")
  if(other STREQUAL header)
    message(FATAL_ERROR "the header has no \"${old}\" any more")
  endif()
  build(other "${other}")
  execute_process(COMMAND ${ABIDIFF} --harmless --no-architecture ${dump} ${WORK}/other.so
                  RESULT_VARIABLE code OUTPUT_VARIABLE output)
  if(code EQUAL 0 OR NOT output MATCHES "${what}")
    message(FATAL_ERROR "abidiff does not see \"${new}\" for \"${old}\": ${code}\n${output}")
  endif()
endfunction()

expect_seen(bk_context_options "int32_t threads;" "int64_t threads;")
expect_seen(bk_status "BK_CANCELLED = 7" "BK_CANCELLED = 9")
expect_seen(bk_log_level "BK_LOG_ERROR = 2" "BK_LOG_ERROR = 3")
expect_seen(bk_mode "BK_CONVOLUTION = 1" "BK_CONVOLUTION = 2")
expect_seen(bk_type "BK_F32 = 0, BK_U8 = 1" "BK_U8 = 0, BK_F32 = 1")
expect_seen(bk_border "BK_BORDER_WRAP = 4" "BK_BORDER_WRAP = 5")
expect_seen(bk_combine "BK_COMBINE_MAX = 1" "BK_COMBINE_MAX = 9")
expect_seen(bk_precision "BK_PRECISION_FP16 = 2" "BK_PRECISION_FP16 = 3")
expect_seen(bk_combine "BK_COMBINE_MAGNITUDE = 6" "BK_COMBINE_MAGNITUDE = 6, BK_COMBINE_MEDIAN = 7")
