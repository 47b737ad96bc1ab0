// SPDX-License-Identifier: Apache-2.0
#include "net/child.hpp"

#include "core/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <cstdint>
#include <deque>
#include <sys/wait.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

// Who writes and who waits to, in the order of their calls. Shared with them, who may be destroyed after the child.
struct Child::Writers {
    explicit Writers(const asio::any_io_executor& executor)
        : changed{executor, asio::steady_timer::time_point::max()} {}
    std::deque<std::uint64_t> order;
    std::uint64_t next = 0;
    std::size_t bytes = 0;
    asio::steady_timer changed;
};

// A writer's place among them, given back on every way out, also if it is cancelled.
class Child::Turn {
public:
    Turn(std::shared_ptr<Writers> writers, std::size_t bytes)
        : writers_{std::move(writers)}, ticket_{writers_->next++}, bytes_{bytes} {
        writers_->order.push_back(ticket_);
        writers_->bytes += bytes_;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        std::erase(writers_->order, ticket_);
        writers_->bytes -= bytes_;
        writers_->changed.cancel();
    }
    [[nodiscard]] bool has_come() const { return writers_->order.front() == ticket_; }
    [[nodiscard]] Writers& writers() const { return *writers_; }

private:
    std::shared_ptr<Writers> writers_;
    std::uint64_t ticket_;
    std::size_t bytes_;
};

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
      write_max_{write_max},
      stdin_{executor, spawned.in},
      stdout_{executor, spawned.out},
      stderr_{executor, spawned.err},
      ended_{executor, spawned.pidfd},
      writers_{std::make_shared<Writers>(executor)},
      stderr_tail_{limits::child_stderr_bytes_max} {
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
    if (writers_->bytes + bytes.size() > limits::agent_outgoing_bytes_max) {
        co_return Error{Errc::busy, "the agent does not read its input"};
    }
    const Turn turn{writers_, bytes.size()};
    while (!turn.has_come()) {
        boost::system::error_code ignored;  // cancelled, the next round throws
        co_await turn.writers().changed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    // An agent that reads has room for all of it; only for another one it takes a wait and its deadline.
    boost::system::error_code full;
    const auto rest = asio::buffer(bytes) + stdin_.write_some(asio::buffer(bytes), full);
    if (rest.size() == 0) co_return Result<void>{};
    asio::steady_timer deadline{co_await asio::this_coro::executor, write_max_};
    const auto done = co_await (asio::async_write(stdin_, rest, use_tuple) || deadline.async_wait(use_tuple));
    const auto error = done.index() == 0 ? std::get<0>(std::get<0>(done)) : asio::error::timed_out;
    if (!error) co_return Result<void>{};
    close_stdin();  // half a line may be out: nothing may follow it
    if (error == asio::error::timed_out) co_return Error{Errc::timeout, "the agent did not read its answer in time"};
    co_return Error{Errc::unavailable, "writing to the agent: " + error.message()};
}

asio::awaitable<void> Child::collect_stderr() {
    std::array<char, 4096> buffer;
    for (;;) {
        const auto [error, count] = co_await stderr_.async_read_some(asio::buffer(buffer), use_tuple);
        if (error) co_return;
        stderr_tail_.push({buffer.data(), count});
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
