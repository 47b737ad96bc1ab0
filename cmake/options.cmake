# SPDX-License-Identifier: Apache-2.0
# The flags of every target of ours, in one place.
add_library(countersign_options INTERFACE)
target_include_directories(countersign_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(countersign_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-designated-field-initializers
    -Werror
    -fstack-protector-strong -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # ccache can only use a precompiled header whose time stamp does not count.
    target_compile_options(countersign_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
target_compile_definitions(countersign_options INTERFACE
    _GLIBCXX_ASSERTIONS
    BOOST_ASIO_NO_DEPRECATED
    BOOST_ASIO_HAS_CO_AWAIT
    BOOST_ASIO_SEPARATE_COMPILATION
    COUNTERSIGN_VERSION="${PROJECT_VERSION}")
if(NOT COUNTERSIGN_SANITIZE)
    target_compile_definitions(countersign_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
endif()
target_link_options(countersign_options INTERFACE -Wl,-z,relro,-z,now)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_link_options(countersign_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)

if(COUNTERSIGN_SANITIZE)
    target_compile_options(countersign_options INTERFACE -fsanitize=${COUNTERSIGN_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(countersign_options INTERFACE -fsanitize=${COUNTERSIGN_SANITIZE})
endif()
if(COUNTERSIGN_SANITIZE MATCHES "undefined")
    # vptr looks at memory through a pipe, and cries wolf in the test that has no descriptor left.
    target_compile_options(countersign_options INTERFACE -fno-sanitize=vptr)
endif()
if(COUNTERSIGN_FUZZ)
    target_compile_options(countersign_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
find_program(MOLD mold)
if(MOLD)
    target_link_options(countersign_options INTERFACE -fuse-ld=mold)
endif()

# The standard library and Asio are parsed once, by the lender, and borrowed by the other targets. The package is built
# without, so that a source which lacks an include of its own is noticed.
# countersign_precompile(<target> <lender> [headers besides the common ones…])
option(COUNTERSIGN_PRECOMPILED "Precompile the headers that most sources include" ON)
set(countersign_common_headers
    <algorithm> <array> <charconv> <chrono> <cstdint> <deque> <filesystem> <functional> <map> <memory> <optional> <set>
    <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/experimental/awaitable_operators.hpp>
    <boost/asio/post.hpp> <boost/asio/redirect_error.hpp> <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp>)
function(countersign_precompile target lender)
    if(NOT COUNTERSIGN_PRECOMPILED)
        return()
    endif()
    # Asio's headers want its functions, also of who does not use them.
    target_link_libraries(${target} PRIVATE lib::asio)
    if(target STREQUAL lender)
        target_precompile_headers(${target} PRIVATE ${countersign_common_headers} ${ARGN})
    else()
        target_precompile_headers(${target} REUSE_FROM ${lender})
    endif()
endfunction()

# A folder of ours is one target: countersign_<folder>, with its sources listed and its edges named.
function(countersign_folder name)
    cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
    add_library(countersign_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(countersign_${name} PUBLIC countersign_options ${ARG_USES})
    countersign_precompile(countersign_${name} countersign_core)
endfunction()
