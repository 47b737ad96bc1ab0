# SPDX-License-Identifier: Apache-2.0
# Compiles the catalogue unchanged, and then with one thing missing at a time, which must not compile.
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/channels)
file(READ ${SOURCE}/channels/catalogue_texts.hpp whole)

function(compile text outcome output)
    file(WRITE ${SCRATCH}/channels/catalogue_texts.hpp "${text}")
    file(COPY ${SOURCE}/channels/catalogue.cpp DESTINATION ${SCRATCH}/channels)
    execute_process(
        COMMAND ${CXX} -std=c++20 -fsyntax-only -I${SCRATCH} -I${SOURCE} ${SCRATCH}/channels/catalogue.cpp
        RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(${outcome} ${result} PARENT_SCOPE)
    set(${output} "${said}" PARENT_SCOPE)
endfunction()

# Replaces once, and expects the compiler to reject the result.
function(must_not_compile what old new)
    string(FIND "${whole}" "${old}" found)
    if(found EQUAL -1)
        message(FATAL_ERROR "${what}: the catalogue has no such text to take away: ${old}")
    endif()
    string(REPLACE "${old}" "${new}" changed "${whole}")
    compile("${changed}" result output)
    if(result EQUAL 0 OR NOT output MATCHES "static assertion failed|no member named|excess elements")
        message(FATAL_ERROR "${what} was not noticed:\n${output}")
    endif()
endfunction()

compile("${whole}" result output)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the catalogue does not compile as it is:\n${output}")
endif()
must_not_compile("an empty text" "\"Absenden\"" "\"\"")
must_not_compile("a text that is not there" ", \"提交\"}}" "}}")
must_not_compile("a row that is not there" "    {Key::submit, {\"Submit\", \"Absenden\", \"提交\"}},\n" "")
must_not_compile("another place" "bis {moment}" "bis {time}")
must_not_compile("a place that is not there" "截止 {moment}" "截止")
must_not_compile("a link" "\"ohne Frist\"" "\"ohne Frist, siehe www.example\"")
must_not_compile("a row at the wrong place" "{Key::submit, " "{Key::cancel, ")
file(REMOVE_RECURSE ${SCRATCH})
