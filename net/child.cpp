// SPDX-License-Identifier: Apache-2.0
#include "net/child.hpp"

#include "core/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

// What a child may know of our environment: where things are and how to speak, no credential.
constexpr std::array passed_on{"PATH", "HOME",   "USER",     "LOGNAME", "SHELL",
                               "LANG", "LC_ALL", "LC_CTYPE", "TZ",      "TMPDIR"};

std::vector<std::string> environment(const std::vector<std::string>& further) {
    std::vector<std::string> variables;
    const auto keep = [&](const std::string& name) {
        // Read before any thread of ours could write it; nothing in the program calls setenv.
        if (const char* value = std::getenv(name.c_str()))
            variables.push_back(name + "=" + value);  // NOLINT(concurrency-mt-unsafe)
    };
    for (const auto* name : passed_on) keep(name);
    for (const auto& name : further) keep(name);
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
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

std::string describe(const ExitStatus& status) {
    if (status.signal != 0) return "was killed by signal " + std::to_string(status.signal);
    return "exited with " + std::to_string(status.code);
}

Result<std::unique_ptr<Child>> Child::start(const asio::any_io_executor& executor, const ChildSpec& spec) {
    if (spec.argv.empty()) return Error{Errc::malformed, "no command to start"};
    Pipe in;
    Pipe out;
    Pipe err;
    if (!in.open() || !out.open() || !err.open()) return failed("pipe", errno);

    SpawnPlan plan;
    ::posix_spawn_file_actions_adddup2(&plan.actions, in.read, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&plan.actions, out.write, STDOUT_FILENO);
    if (!spec.share_stderr) ::posix_spawn_file_actions_adddup2(&plan.actions, err.write, STDERR_FILENO);
    if (!spec.directory.empty()) ::posix_spawn_file_actions_addchdir_np(&plan.actions, spec.directory.c_str());

    auto arguments = spec.argv;
    auto variables = environment(spec.keep_environment);
    pid_t pid = 0;
    const int spawned = ::posix_spawnp(&pid, arguments.front().c_str(), &plan.actions, &plan.attributes,
                                       pointers(arguments).data(), pointers(variables).data());
    if (spawned != 0) return failed("cannot start " + arguments.front(), spawned);
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (pidfd < 0) {
        const int number = errno;
        ::kill(-pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return failed("pidfd_open", number);
    }
    ::fcntl(pidfd, F_SETFD, FD_CLOEXEC);
    std::unique_ptr<Child> child{new Child{executor, pid, std::exchange(in.write, -1), std::exchange(out.read, -1),
                                           std::exchange(err.read, -1), pidfd}};
    return child;
}

Child::Child(const asio::any_io_executor& executor, pid_t pid, int in, int out, int err, int pidfd)
    : pid_{pid},
      stdin_{executor, in},
      stdout_{executor, out},
      stderr_{executor, err},
      ended_{executor, pidfd},
      write_turn_{executor, asio::steady_timer::time_point::max()} {
    // A child that does not read must block a coroutine, never the thread.
    stdin_.non_blocking(true);
}

Child::~Child() {
    if (reaped_) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

asio::awaitable<Result<std::string>> Child::read() {
    std::array<char, 16 * 1024> buffer;
    const auto [error, count] = co_await stdout_.async_read_some(asio::buffer(buffer), use_tuple);
    if (error == asio::error::eof) co_return std::string{};
    if (error) co_return Error{Errc::unavailable, "reading from the agent: " + error.message()};
    co_return std::string{buffer.data(), count};
}

asio::awaitable<Result<void>> Child::write(std::string bytes) {
    using namespace asio::experimental::awaitable_operators;
    if (waiting_bytes_ + bytes.size() > limits::agent_outgoing_bytes_max) {
        co_return Error{Errc::busy, "the agent does not read its input"};
    }
    waiting_bytes_ += bytes.size();
    while (writing_) {
        boost::system::error_code ignored;
        co_await write_turn_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    writing_ = true;
    asio::steady_timer deadline{co_await asio::this_coro::executor, limits::agent_write_max};
    const auto done =
        co_await (asio::async_write(stdin_, asio::buffer(bytes), use_tuple) || deadline.async_wait(use_tuple));
    writing_ = false;
    waiting_bytes_ -= bytes.size();
    write_turn_.cancel();
    if (done.index() == 1) {
        close_stdin();  // half a line may be out: nothing may follow it
        co_return Error{Errc::timeout, "the agent did not read its answer in time"};
    }
    const auto [error, written] = std::get<0>(done);
    if (error) co_return Error{Errc::unavailable, "writing to the agent: " + error.message()};
    co_return Result<void>{};
}

asio::awaitable<void> Child::collect_stderr() {
    std::array<char, 4096> buffer;
    for (;;) {
        const auto [error, count] = co_await stderr_.async_read_some(asio::buffer(buffer), use_tuple);
        if (error) co_return;
        stderr_tail_.append(buffer.data(), count);
        if (stderr_tail_.size() > limits::child_stderr_bytes_max) {
            stderr_tail_.erase(0, stderr_tail_.size() - limits::child_stderr_bytes_max);
        }
    }
}

void Child::close_stdin() {
    boost::system::error_code ignored;
    stdin_.close(ignored);
}

void Child::close_output() {
    boost::system::error_code ignored;
    stdout_.close(ignored);
    stderr_.close(ignored);
}

void Child::reap() {
    if (reaped_) return;
    int raw = 0;
    if (::waitpid(pid_, &raw, WNOHANG) != pid_) return;
    reaped_ = true;
    if (WIFEXITED(raw)) status_.code = WEXITSTATUS(raw);
    if (WIFSIGNALED(raw)) status_.signal = WTERMSIG(raw);
}

asio::awaitable<void> Child::ended() {
    co_await ended_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
}

asio::awaitable<bool> Child::ends_within(std::chrono::milliseconds time) {
    using namespace asio::experimental::awaitable_operators;
    asio::steady_timer deadline{co_await asio::this_coro::executor, time};
    const auto first = co_await (ended_.async_wait(asio::posix::stream_descriptor::wait_read, use_tuple) ||
                                 deadline.async_wait(use_tuple));
    co_return first.index() == 0;
}

asio::awaitable<ExitStatus> Child::finish() {
    if (reaped_ || !co_await ends_within(limits::child_stop_max)) co_return co_await stop();
    if (!reaped_) ::kill(-pid_, SIGKILL);  // what it left behind in its group, while the id is still its own
    reap();
    co_return status_;
}

asio::awaitable<ExitStatus> Child::stop() {
    if (reaped_) co_return status_;
    ::kill(-pid_, SIGTERM);
    const bool obeyed = co_await ends_within(limits::child_stop_max);
    if (reaped_) co_return status_;  // by whoever else waited
    ::kill(-pid_, SIGKILL);  // also what it left behind in its group; before reaping, while the id is still its own
    if (!obeyed) co_await ends_within(limits::child_stop_max);
    reap();
    co_return status_;
}

}  // namespace countersign::net
