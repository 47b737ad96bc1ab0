# SPDX-License-Identifier: Apache-2.0
# The binary that users get from `./dev build` is optimised: the last -O of each file of the preset `dev` is -O2. Shown
# with a copy of the build files, and again with a preset without optimisation.
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
foreach(part CMakeLists.txt CONTRIBUTING.md CMakePresets.json cmake core security audit net runtimes channels gateway
        sidecar config console app deploy tests)
    file(COPY ${SOURCE}/${part} DESTINATION ${SCRATCH}/source PATTERN node_modules EXCLUDE)
endforeach()

# The first command of the preset that isn't optimised, or empty.
function(unoptimised found)
    file(REMOVE_RECURSE ${SCRATCH}/build)
    execute_process(
        COMMAND ${CMAKE_COMMAND} --preset dev -B ${SCRATCH}/build -DCMAKE_CXX_COMPILER=${CXX}
            -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
        WORKING_DIRECTORY ${SCRATCH}/source
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the preset dev does not configure:\n${text}")
    endif()
    file(STRINGS ${SCRATCH}/build/compile_commands.json commands REGEX "\"command\":")
    list(LENGTH commands count)
    if(count LESS 100)
        message(FATAL_ERROR "only ${count} commands were found")
    endif()
    set(${found} "" PARENT_SCOPE)
    foreach(command IN LISTS commands)
        string(REGEX MATCHALL " -O[^ ]*" levels "${command}")
        list(POP_BACK levels last)
        if(NOT last STREQUAL " -O2" AND NOT last STREQUAL " -O3")
            set(${found} "${command}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

file(READ ${SOURCE}/dev script)
if(NOT script MATCHES "build dev build countersign")
    message(FATAL_ERROR "./dev build uses another preset than dev")
endif()
unoptimised(command)
if(NOT command STREQUAL "")
    message(FATAL_ERROR "the preset dev isn't optimised:\n${command}")
endif()
file(READ ${SCRATCH}/source/CMakePresets.json presets)
string(REPLACE "\"-O2 -g1\"" "\"-O1 -g1\"" presets "${presets}")
file(WRITE ${SCRATCH}/source/CMakePresets.json "${presets}")
unoptimised(command)
if(command STREQUAL "")
    message(FATAL_ERROR "a preset with -O1 was not noticed")
endif()
file(REMOVE_RECURSE ${SCRATCH})
