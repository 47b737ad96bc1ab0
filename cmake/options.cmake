# SPDX-License-Identifier: Apache-2.0
# The flags of every target, in one place.
add_library(countersign_options INTERFACE)
option(COUNTERSIGN_WERROR "Treat compiler warnings as errors; the presets of developers turn it on" OFF)
option(COUNTERSIGN_CCACHE "Compile through ccache where it is installed" ON)
option(COUNTERSIGN_MOLD "Link with mold where it is installed" ON)
target_include_directories(countersign_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(countersign_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-designated-field-initializers
    $<$<BOOL:${COUNTERSIGN_WERROR}>:-Werror>
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
if(COUNTERSIGN_MOLD)
    find_program(MOLD mold)
    if(MOLD)
        # The compiler may be too old to know this linker.
        include(CheckLinkerFlag)
        check_linker_flag(CXX -fuse-ld=mold COUNTERSIGN_CAN_LINK_WITH_MOLD)
        if(COUNTERSIGN_CAN_LINK_WITH_MOLD)
            target_link_options(countersign_options INTERFACE -fuse-ld=mold)
        endif()
    endif()
endif()
# A launcher that the user has chosen stays. ccache can only use a precompiled header when it may ignore its macros and
# time stamps.
find_program(CCACHE ccache)
if(COUNTERSIGN_CCACHE AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_DEPEND=1 ccache)
endif()

# One target, the lender, precompiles the standard library and Asio; the others reuse its precompiled header. The
# package is built without it, so that a source with a missing include fails.
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
    # The precompiled headers of Asio need its functions, even in a target that doesn't use Asio.
    target_link_libraries(${target} PRIVATE lib::asio)
    if(target STREQUAL lender)
        target_precompile_headers(${target} PRIVATE ${countersign_common_headers} ${ARGN})
    else()
        target_precompile_headers(${target} REUSE_FROM ${lender})
    endif()
endfunction()

# Each folder is one target: countersign_<folder>, with its sources and the targets it may use.
function(countersign_folder name)
    cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
    add_library(countersign_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(countersign_${name} PUBLIC countersign_options ${ARG_USES})
    countersign_precompile(countersign_${name} countersign_core)
endfunction()
