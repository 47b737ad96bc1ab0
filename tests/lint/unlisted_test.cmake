# SPDX-License-Identifier: Apache-2.0
# Configures a copy of the build files with an additional test file that they don't list, and expects an error with its
# name.
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
foreach(part CMakeLists.txt CONTRIBUTING.md cmake core security audit net runtimes channels gateway sidecar config console
        app deploy tests)
    file(COPY ${SOURCE}/${part} DESTINATION ${SCRATCH}/source PATTERN node_modules EXCLUDE)
endforeach()

function(configure outcome output)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -S ${SCRATCH}/source -B ${SCRATCH}/build -G Ninja -DCMAKE_CXX_COMPILER=${CXX}
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(${outcome} ${result} PARENT_SCOPE)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

configure(result output)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the copy does not configure as it is:\n${output}")
endif()
file(WRITE ${SCRATCH}/source/tests/core/forgotten_test.cpp "// never run\n")
configure(result output)
if(result EQUAL 0 OR NOT output MATCHES "forgotten_test.cpp")
    message(FATAL_ERROR "a test file that no CMakeLists.txt names was not noticed:\n${output}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
