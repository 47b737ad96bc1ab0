# SPDX-License-Identifier: Apache-2.0
# cmake -DFROM=<sources> -DTO=<directory> -P install.cmake: installs the peers and the packages in their lock file.
file(COPY ${FROM}/package.json ${FROM}/peer.mjs DESTINATION ${TO})
file(SHA256 ${FROM}/package-lock.json wanted)
set(found)
if(EXISTS ${TO}/node_modules/.installed)
    file(READ ${TO}/node_modules/.installed found)
endif()
if(found STREQUAL wanted)
    return()
endif()
file(COPY ${FROM}/package-lock.json DESTINATION ${TO})
execute_process(COMMAND npm ci --prefer-offline --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${TO}
                RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "\"npm ci\" failed in ${TO}: the peers need the packages of their lock")
endif()
file(WRITE ${TO}/node_modules/.installed ${wanted})
