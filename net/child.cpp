// SPDX-License-Identifier: Apache-2.0
#include "net/child.hpp"

#include "core/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <csignal>
#include <sys/wait.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

std::string describe(const ExitStatus& status) {
    if (status.signal != 0) return "was killed by signal " + std::to_string(status.signal);
    return "exited with " + std::to_string(status.code);
}

Result<std::unique_ptr<Child>> Child::start(const asio::any_io_executor& executor, const ChildSpec& spec,
                                            std::chrono::milliseconds write_max) {
    const auto spawned = spawn(spec);
    if (!spawned) return spawned.error();
    return std::unique_ptr<Child>{new Child{executor, *spawned, write_max}};
}

Child::Child(const asio::any_io_executor& executor, const Spawned& spawned, std::chrono::milliseconds write_max)
    : pid_{spawned.pid},
      stdin_{executor,
             spawned.in,
             {.peer = "the agent", .write_max = write_max, .bytes_max = limits::agent_outgoing_bytes_max}},
      stdout_{executor, spawned.out},
      stderr_{executor, spawned.err},
      ended_{executor, spawned.pidfd},
      stderr_tail_{limits::child_stderr_bytes_max} {}

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

asio::awaitable<Result<void>> Child::write(std::string bytes) { return stdin_.write(std::move(bytes)); }

asio::awaitable<void> Child::collect_stderr() {
    std::array<char, 4096> buffer;
    for (;;) {
        const auto [error, count] = co_await stderr_.async_read_some(asio::buffer(buffer), use_tuple);
        if (error) co_return;
        stderr_tail_.push({buffer.data(), count});
    }
}

void Child::close_stdin() { stdin_.close(); }

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
    if (!reaped_) ::kill(-pid_, SIGKILL);  // kills the rest of its group, while the id is still its own
    reap();
    co_return status_;
}

asio::awaitable<ExitStatus> Child::stop() {
    if (reaped_) co_return status_;
    ::kill(-pid_, SIGTERM);
    const bool obeyed = co_await ends_within(limits::child_stop_max);
    if (reaped_) co_return status_;  // another waiter reaped it
    ::kill(-pid_, SIGKILL);          // also kills the rest of its group; before reaping, while the id is still its own
    if (!obeyed) co_await ends_within(limits::child_stop_max);
    reap();
    co_return status_;
}

}  // namespace countersign::net
