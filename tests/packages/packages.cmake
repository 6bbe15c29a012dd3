# Makes the Debian packages, and asks what is in them, whether lintian has a complaint (where it is installed), and
# whether the command runs from them.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${code}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  string(FIND "${output}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "\"${text}\" is not in\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(cpack --config ${BUILD}/CPackConfig.cmake -G DEB -B ${WORK} -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip)
foreach(name IN ITEMS bankside bankside-window libbankside0 libbankside-dev)
  file(GLOB package ${WORK}/${name}_*.deb)
  if(NOT package)
    message(FATAL_ERROR "there is no ${name}")
  endif()
  set(${name} ${package})
  run(dpkg-deb --extract ${package} ${WORK}/root)
endforeach()

run(dpkg-deb --contents ${bankside})
expect(./usr/bin/bankside)
expect(./usr/share/man/man1/bankside.1.gz)
run(dpkg-deb --contents ${bankside-window})
expect(./usr/bin/bankside-window)
expect(./usr/share/applications/bankside-window.desktop)
expect(./usr/share/bankside/recipes/vessels.json)
run(dpkg-deb --contents ${libbankside0})
expect(/libbankside.so.0)
expect(/bankside/libbankside-filter2d.so)
run(dpkg-deb --contents ${libbankside-dev})
expect(./usr/include/bankside/bankside.h)
expect(/pkgconfig/bankside.pc)
run(dpkg-deb --field ${bankside} Depends)
expect(libc6)

run(${WORK}/root/usr/bin/bankside banks list)
expect(vessel-matched)

find_program(LINTIAN lintian)
if(LINTIAN)
  # Nobody filed a bug "to be packaged" for a package that is built here; the call of ldconfig is cpack's own; and the
  # libraries lie in /usr/lib, as cmake puts them, not in a folder of one processor.
  run(${LINTIAN} --allow-root --fail-on error,warning --suppress-tags
      initial-upload-closes-no-bugs,maintscript-calls-ldconfig,pkg-config-unavailable-for-cross-compilation
      ${bankside} ${bankside-window} ${libbankside0} ${libbankside-dev})
endif()
