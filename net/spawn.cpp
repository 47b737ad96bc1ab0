// SPDX-License-Identifier: Apache-2.0
#include "net/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace countersign::net {
namespace {

// The environment variables that a child may see: locations and language, no credentials.
constexpr std::array passed_on{"PATH", "HOME",   "USER",     "LOGNAME", "SHELL",
                               "LANG", "LC_ALL", "LC_CTYPE", "TZ",      "TMPDIR"};

std::vector<std::string> environment(const std::vector<std::string>& further) {
    std::vector<std::string> variables;
    const auto keep = [&](const std::string& name) {
        const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nothing calls setenv
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

// None of our signal handlers may run in the child, where it would write to pipes that it still shares with us.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

// Everything the child needs, prepared before the fork: between fork and exec nothing may allocate or take a lock,
// which another thread might hold forever.
struct Plan {
    pid_t parent;
    int in;
    int out;
    int err;
    int failed;             // receives the errno
    const char* directory;  // null: ours
    char* const* arguments;
    char* const* variables;
};

// posix_spawn cannot do this: an agent must not continue after the hub has ended for any reason. If the parent died
// before the prctl call, getppid() tells.
bool end_with(pid_t parent) { return ::prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && ::getppid() == parent; }

constexpr int kept = STDERR_FILENO + 1;  // open until exec: the child reports a failure there

// Our descriptors are close-on-exec; those of libraries may not be.
bool settle_descriptors(const Plan& plan) {
    if (::dup2(plan.in, STDIN_FILENO) < 0 || ::dup2(plan.out, STDOUT_FILENO) < 0) return false;
    if (plan.err >= 0 && ::dup2(plan.err, STDERR_FILENO) < 0) return false;
    if (plan.failed != kept && ::dup3(plan.failed, kept, O_CLOEXEC) < 0) return false;
    ::closefrom(kept + 1);
    return true;
}

void use_default_signals() {
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    // Some signals cannot be changed.
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &usual, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(const Plan& plan) {
    ::setsid();
    const bool settled = end_with(plan.parent) && settle_descriptors(plan);
    if (settled && (plan.directory == nullptr || ::chdir(plan.directory) == 0)) {
        use_default_signals();
        ::execvpe(plan.arguments[0], plan.arguments, plan.variables);
    }
    const int number = errno;
    const auto told = ::write(settled ? kept : plan.failed, &number, sizeof number);
    ::_exit(told == sizeof number ? 127 : 126);
}

// The errno of a failure in the child before exec; 0 if there was none.
int failure_in_child(Pipe& failed) {
    ::close(std::exchange(failed.write, -1));
    int number = 0;
    ssize_t got = -1;
    do {
        got = ::read(failed.read, &number, sizeof number);
    } while (got < 0 && errno == EINTR);
    return got == sizeof number ? number : 0;
}

}  // namespace

Result<Spawned> spawn(const ChildSpec& spec) {
    if (spec.argv.empty()) return Error{Errc::malformed, "no command to start"};
    Pipe in;
    Pipe out;
    Pipe err;
    Pipe failure;
    if (!in.open() || !out.open() || !err.open() || !failure.open()) return failed("pipe", errno);

    auto texts = spec.argv;
    auto named = environment(spec.keep_environment);
    const auto arguments = pointers(texts);
    const auto variables = pointers(named);
    const Plan plan{.parent = ::getpid(),
                    .in = in.read,
                    .out = out.write,
                    .err = spec.share_stderr ? -1 : err.write,
                    .failed = failure.write,
                    .directory = spec.directory.empty() ? nullptr : spec.directory.c_str(),
                    .arguments = arguments.data(),
                    .variables = variables.data()};
    pid_t pid = 0;
    {
        const NoSignals quiet;
        pid = ::fork();
        if (pid == 0) become(plan);
    }
    if (pid < 0) return failed("fork", errno);
    if (const int number = failure_in_child(failure); number != 0) {
        ::waitpid(pid, nullptr, 0);
        const auto where = spec.directory.empty() ? std::string{} : " in " + spec.directory;
        return failed("cannot start " + spec.argv.front() + where, number);
    }
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));  // pidfds are always close-on-exec
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
