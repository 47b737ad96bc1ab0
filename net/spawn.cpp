// SPDX-License-Identifier: Apache-2.0
#include "net/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace countersign::net {
namespace {

// What a child may know of our environment: where things are and how to speak, no credential.
constexpr std::array passed_on{"PATH", "HOME",   "USER",     "LOGNAME", "SHELL",
                               "LANG", "LC_ALL", "LC_CTYPE", "TZ",      "TMPDIR"};

std::vector<std::string> environment(const std::vector<std::string>& further) {
    std::vector<std::string> variables;
    const auto keep = [&](const std::string& name) {
        const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody calls setenv
        if (value != nullptr) variables.push_back(name + "=" + value);
    };
    for (const auto* name : passed_on) keep(name);
    for (const auto& name : further) keep(name);
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

struct Pipe {
    int read = -1;
    int write = -1;
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
};

Error failed(const std::string& what, int number) {
    return {Errc::unavailable, what + ": " + std::system_category().message(number)};
}

// Everything posix_spawn wants, freed on every way out.
class SpawnPlan {
public:
    SpawnPlan() {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

}  // namespace

Result<Spawned> spawn(const ChildSpec& spec) {
    if (spec.argv.empty()) return Error{Errc::malformed, "no command to start"};
    Pipe in;
    Pipe out;
    Pipe err;
    if (!in.open() || !out.open() || !err.open()) return failed("pipe", errno);

    SpawnPlan plan;
    ::posix_spawn_file_actions_adddup2(&plan.actions, in.read, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&plan.actions, out.write, STDOUT_FILENO);
    if (!spec.share_stderr) ::posix_spawn_file_actions_adddup2(&plan.actions, err.write, STDERR_FILENO);
    // Ours are close-on-exec; those of libraries need not be.
    ::posix_spawn_file_actions_addclosefrom_np(&plan.actions, STDERR_FILENO + 1);
    if (!spec.directory.empty()) ::posix_spawn_file_actions_addchdir_np(&plan.actions, spec.directory.c_str());

    auto arguments = spec.argv;
    auto variables = environment(spec.keep_environment);
    pid_t pid = 0;
    const int spawned = ::posix_spawnp(&pid, arguments.front().c_str(), &plan.actions, &plan.attributes,
                                       pointers(arguments).data(), pointers(variables).data());
    if (spawned != 0) return failed("cannot start " + arguments.front(), spawned);
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));  // close-on-exec by itself
    if (pidfd < 0) {
        const int number = errno;
        ::kill(-pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return failed("pidfd_open", number);
    }
    return Spawned{.pid = pid,
                   .in = std::exchange(in.write, -1),
                   .out = std::exchange(out.read, -1),
                   .err = std::exchange(err.read, -1),
                   .pidfd = pidfd};
}

}  // namespace countersign::net
