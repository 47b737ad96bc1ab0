# SPDX-License-Identifier: Apache-2.0
# Installs into a fresh prefix: the program runs from there, and its manual and completions are those it prints.
file(REMOVE_RECURSE ${SCRATCH})

function(run output)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN} failed: ${result}\n${text}${error}")
    endif()
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

run(ignored ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH})
set(program ${SCRATCH}/bin/countersign)
run(version ${program} --version)
if(NOT version MATCHES "^countersign [0-9]+\\.[0-9]+\\.[0-9]+")
    message(FATAL_ERROR "the installed program prints as its version: ${version}")
endif()

function(must_be_printed_by file)
    run(printed ${program} ${ARGN})
    file(READ ${SCRATCH}/share/${file} installed)
    if(NOT printed STREQUAL installed)
        message(FATAL_ERROR "share/${file} is not what the installed program prints")
    endif()
endfunction()
must_be_printed_by(man/man1/countersign.1 help --man)
must_be_printed_by(man/man1/countersign-audit-verify.1 help --man audit verify)
must_be_printed_by(bash-completion/completions/countersign completion bash)
must_be_printed_by(zsh/site-functions/_countersign completion zsh)
must_be_printed_by(fish/vendor_completions.d/countersign.fish completion fish)

file(GLOB examples RELATIVE ${SOURCE}/deploy ${SOURCE}/deploy/*.toml ${SOURCE}/deploy/*.service)
foreach(example IN LISTS examples)
    list(APPEND expected share/doc/countersign/examples/${example})
endforeach()
foreach(file ${expected} lib/systemd/user/countersign.service share/doc/countersign/LICENSE
        share/doc/countersign/SECURITY.md share/doc/countersign/deploy/policy-starter.toml
        share/doc/countersign/README.md share/doc/countersign/docs/CONFIGURATION.md
        share/doc/countersign/docs/channels/telegram.md share/doc/countersign/audit/FORMAT.md)
    if(NOT EXISTS ${SCRATCH}/${file})
        message(FATAL_ERROR "${file} was not installed")
    endif()
endforeach()
run(ignored ${program} check config ${SCRATCH}/share/doc/countersign/examples/policy-starter.toml)
file(REMOVE_RECURSE ${SCRATCH})
