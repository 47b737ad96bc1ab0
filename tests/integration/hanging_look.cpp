// SPDX-License-Identifier: Apache-2.0
// A file system that stops answering: preloaded into a program, its lstat blocks forever for a path that contains the
// text in HANGING_LOOK_AT.
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" int lstat(const char* path, struct stat* status) {
    const char* at = std::getenv("HANGING_LOOK_AT");
    while (at != nullptr && std::strstr(path, at) != nullptr) ::pause();
    return ::fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
