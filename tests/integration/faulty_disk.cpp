// SPDX-License-Identifier: Apache-2.0
// A disk on which one call fails: preloaded into a program, it counts the calls for each file of the log in the state
// directory FAULTY_DISK, over all threads, and makes one of them fail or kills the program there.
//
//   FAULTY_DISK_CALLS  a file that gets a line for each call, "<thread> <name> <path below the state directory>", and
//                      "<thread> struck <lines heard>" when the fault comes
//   FAULTY_DISK_AT     "<name> <path> <number>", the call that fails
//   FAULTY_DISK_HOW    the error, or KILL. A full disk stays full; other errors are temporary. FULL is ENOSPC too, but
//                      from then on only for calls that need space: writes and new directories, not new file names.
//   FAULTY_DISK_HEARD  a file whose lines are counted when the fault comes, for the "struck" line
//   FAULTY_DISK_SHORT  if set, nothing fails, but most writes are partial
//
// A write of only zeros has the name "fill": it allocates space, and there are many of them.
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
}

int error_of(const std::string& name) {
    if (name == "ENOSPC" || name == "FULL") return ENOSPC;
    if (name == "EDQUOT") return EDQUOT;
    if (name == "EROFS") return EROFS;
    return EIO;
}

std::string path_of(int descriptor) {
    char path[4096];
    const auto link = "/proc/self/fd/" + std::to_string(descriptor);
    const auto size = ::readlink(link.c_str(), path, sizeof path);
    return size < 0 ? std::string{} : std::string(path, static_cast<std::size_t>(size));
}

struct Fate {
    int error = 0;
    bool kill = false;
    bool ours = true;  // a call for the log
    [[nodiscard]] bool good() const { return error == 0 && !kill; }
};

class Disk {
public:
    // Decides what happens to the call. The caller carries it out, including the kill.
    Fate meet(const std::string& name, const std::string& path, bool changes) {
        if (state_.empty() || !path.starts_with(state_)) return {.ours = false};
        const auto below = path.substr(state_.size());
        if (!below.empty() && !below.starts_with("/audit") && !below.starts_with("/log.begun")) {
            return {.ours = false};
        }
        const std::lock_guard lock{mutex_};
        const auto call = name + " " + (below.empty() ? "." : below.substr(1));
        say(call);
        const auto nth = ++counts_[call];
        const bool needs_room = how_ != "FULL" || name == "pwrite" || name == "fill" || name == "mkdir";
        if (full_ && changes && needs_room) return {.error = error_of(how_)};
        if (call + " " + std::to_string(nth) != at_) return {};
        say("struck " + std::to_string(heard()));
        if (how_ == "KILL") return {.kill = true};
        full_ = how_ == "ENOSPC" || how_ == "EDQUOT" || how_ == "FULL";
        return {.error = error_of(how_)};
    }
    // How many bytes of a write are done: in turn half, one, none because of a signal, and all.
    std::size_t part_of(std::size_t bytes) {
        if (!short_ || bytes < 2) return bytes;
        const std::lock_guard lock{mutex_};
        const std::size_t parts[] = {bytes / 2, 1, 0, bytes};
        return parts[writes_++ % std::size(parts)];
    }

private:
    [[nodiscard]] long heard() const {
        std::ifstream file{heard_};
        long lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        return lines;
    }
    void say(const std::string& line) const {
        if (calls_ < 0) return;
        const auto bytes = std::to_string(::gettid()) + " " + line + "\n";
        (void)::syscall(SYS_write, calls_, bytes.data(), bytes.size());
    }

    std::mutex mutex_;
    std::string state_ = variable("FAULTY_DISK");
    std::string at_ = variable("FAULTY_DISK_AT");
    std::string how_ = variable("FAULTY_DISK_HOW");
    std::string heard_ = variable("FAULTY_DISK_HEARD");
    bool short_ = std::getenv("FAULTY_DISK_SHORT") != nullptr;
    int calls_ = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, variable("FAULTY_DISK_CALLS").c_str(),
                                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    std::map<std::string, int> counts_;
    std::size_t writes_ = 0;
    bool full_ = false;
};

Disk& disk() {
    static Disk* const one = new Disk;  // outlives every thread
    return *one;
}

// True if the call must not be made; errno says why.
bool goes_wrong(const std::string& name, const std::string& path, bool changes = true) {
    const auto fate = disk().meet(name, path, changes);
    if (fate.kill) ::kill(::getpid(), SIGKILL);
    errno = fate.error;
    return !fate.good();
}

bool is_zeros(const char* bytes, std::size_t size) {
    return size > 0 && bytes[0] == 0 && std::memcmp(bytes, bytes + 1, size - 1) == 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    const bool creates = (flags & O_CREAT) != 0;
    mode_t mode = 0;
    if (creates) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if (goes_wrong(creates ? "create" : "open", path, creates)) return -1;
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

DIR* opendir(const char* path) {
    if (goes_wrong("list", path, false)) return nullptr;
    using Real = DIR* (*)(const char*);
    return reinterpret_cast<Real>(::dlsym(RTLD_NEXT, "opendir"))(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
    if (goes_wrong("mkdir", path)) return -1;
    return static_cast<int>(::syscall(SYS_mkdir, path, mode));
}

int rename(const char* from, const char* to) noexcept {
    if (goes_wrong("rename", from)) return -1;
    return static_cast<int>(::syscall(SYS_rename, from, to));
}

int unlink(const char* path) noexcept {
    if (goes_wrong("unlink", path)) return -1;
    return static_cast<int>(::syscall(SYS_unlink, path));
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
    const bool zeros = is_zeros(static_cast<const char*>(bytes), size);
    const auto fate = disk().meet(zeros ? "fill" : "pwrite", path_of(descriptor), true);
    // Half of a failing write still reaches the disk.
    const auto healthy = fate.ours ? disk().part_of(size) : size;
    const auto done = fate.good() ? healthy : size / 2;
    const auto written = ::syscall(SYS_pwrite64, descriptor, bytes, done, offset);
    if (fate.kill) ::kill(::getpid(), SIGKILL);
    if (fate.good() && done > 0) return written;
    errno = fate.good() ? EINTR : fate.error;
    return -1;
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
    if (goes_wrong("pread", path_of(descriptor), false)) return -1;
    return ::syscall(SYS_pread64, descriptor, bytes, size, offset);
}

int ftruncate(int descriptor, off_t size) noexcept {
    if (goes_wrong("ftruncate", path_of(descriptor))) return -1;
    return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int fdatasync(int descriptor) {
    if (goes_wrong("fdatasync", path_of(descriptor))) return -1;
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

int fsync(int descriptor) {
    if (goes_wrong("fsync", path_of(descriptor))) return -1;
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int sync_file_range(int descriptor, off64_t from, off64_t size, unsigned flags) {
    if (goes_wrong("sync_file_range", path_of(descriptor))) return -1;
    return static_cast<int>(::syscall(SYS_sync_file_range, descriptor, from, size, flags));
}

int statx(int from, const char* path, int flags, unsigned mask, struct statx* status) noexcept {
    if (goes_wrong("statx", *path == '\0' ? path_of(from) : path, false)) return -1;
    return static_cast<int>(::syscall(SYS_statx, from, path, flags, mask, status));
}

int fstat(int descriptor, struct stat* status) noexcept {
    if (goes_wrong("fstat", path_of(descriptor), false)) return -1;
    return static_cast<int>(::syscall(SYS_newfstatat, descriptor, "", status, AT_EMPTY_PATH));
}

int lstat(const char* path, struct stat* status) noexcept {
    if (goes_wrong("lstat", path, false)) return -1;
    return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW));
}

}  // extern "C"
