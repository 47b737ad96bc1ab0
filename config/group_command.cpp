// SPDX-License-Identifier: Apache-2.0
#include "config/group_command.hpp"

#include "security/directory_chain.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace countersign::config {

namespace {

using Clock = std::chrono::steady_clock;

// Only the variables that a command needs to find its files and language: no LD_PRELOAD, no exported tokens.
std::vector<char*> allowed_environment() {
    static constexpr std::string_view allowed[] = {"HOME=", "LANG=", "LC_ALL=", "LOGNAME=", "PATH=", "TZ=", "USER="};
    std::vector<char*> kept;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text{*variable};
        for (const auto prefix : allowed) {
            if (text.starts_with(prefix)) kept.push_back(*variable);
        }
    }
    kept.push_back(nullptr);
    return kept;
}

std::vector<char*> pointers_to(const std::vector<std::string>& argv) {
    std::vector<char*> pointers;
    pointers.reserve(argv.size() + 1);
    for (const auto& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));  // exec does not write to them
    pointers.push_back(nullptr);
    return pointers;
}

// Owns the settings for posix_spawn: a new process group, default signal handling, no input, and no error output on our
// terminal.
class SpawnPlan {
public:
    explicit SpawnPlan(int out) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_init(&attributes_);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes_, &signals);
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(&attributes_, &signals);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&actions_);
    }
    // Returns an errno.
    [[nodiscard]] int start(const std::vector<std::string>& argv, pid_t& pid) const {
        const auto words = pointers_to(argv);
        const auto environment = allowed_environment();
        return posix_spawn(&pid, argv.front().c_str(), &actions_, &attributes_, words.data(), environment.data());
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

int milliseconds_until(Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
}

// Reads until all processes that hold the other end have closed it.
Result<std::string> read_until_closed(int fd, Clock::time_point end) {
    std::string printed;
    std::array<char, 4096> buffer{};
    while (true) {
        pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waiting, 1, milliseconds_until(end));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return Error{Errc::timeout, "it did not end in time"};
        const auto got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{Errc::unavailable, "its output cannot be read"};
        if (got == 0) return printed;
        printed.append(buffer.data(), static_cast<std::size_t>(got));
        if (printed.size() > limits::group_command_bytes_max) return Error{Errc::too_large, "it printed too much"};
    }
}

// The command may close its output and keep running. Waits without reaping it, so that its process group keeps its id
// until we have killed the rest of the group.
bool ended_before(pid_t pid, Clock::time_point end) {
    while (true) {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid)
            return true;
        if (Clock::now() >= end) return false;
        ::poll(nullptr, 0, 2);
    }
}

// A user who can write the program controls who may decide.
Result<void> nobody_else_may_write(const std::string& program) {
    struct stat info{};
    if (::stat(program.c_str(), &info) != 0) return {};  // starting it will report why
    const bool foreign = info.st_uid != ::geteuid() && info.st_uid != 0;
    if (!foreign && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return security::check_directory_of(program);
    return Error{Errc::bad_config,
                 "others may write " + program + ": run chmod go-w on it, and have it owned by you or root"};
}

int reap(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

}  // namespace

Result<std::string> run_group_command(const std::vector<std::string>& argv, std::chrono::milliseconds deadline) {
    if (argv.empty() || !argv.front().starts_with('/')) return Error{Errc::bad_config, "no absolute path to run"};
    if (const auto ours = nobody_else_may_write(argv.front()); !ours) return ours.error();
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return Error{Errc::unavailable, std::generic_category().message(errno)};
    const auto until = Clock::now() + deadline;
    pid_t pid = -1;
    const int failed = SpawnPlan{ends[1]}.start(argv, pid);
    ::close(ends[1]);
    if (failed != 0) {
        ::close(ends[0]);
        return Error{Errc::unavailable, "cannot start: " + std::generic_category().message(failed)};
    }
    auto printed = read_until_closed(ends[0], until);
    const bool in_time = printed && ended_before(pid, until);
    ::kill(-pid, SIGKILL);
    const int status = reap(pid);
    ::close(ends[0]);
    if (!printed) return printed;
    if (!in_time) return Error{Errc::timeout, "it did not end in time"};
    if (!WIFEXITED(status)) return Error{Errc::unavailable, "it was killed by a signal"};
    if (WEXITSTATUS(status) != 0) {
        return Error{Errc::unavailable, "it ended with " + std::to_string(WEXITSTATUS(status))};
    }
    return printed;
}

}  // namespace countersign::config
