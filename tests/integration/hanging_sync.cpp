// SPDX-License-Identifier: Apache-2.0
// A disk that stops answering: preloaded into a program, its fdatasync blocks forever once the file named in
// HANGING_SYNC_WHEN exists.
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int fdatasync(int descriptor) {
    const char* when = std::getenv("HANGING_SYNC_WHEN");
    while (when != nullptr && ::access(when, F_OK) == 0) ::pause();
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
