// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/client.hpp"

#include "core/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

namespace countersign::channels::terminal {

namespace asio = boost::asio;

namespace {

constexpr std::string_view brackets_on = "\x1b[?2004h";
constexpr std::string_view brackets_off = "\x1b[?2004l";
constexpr std::size_t input_bytes = 4096;
constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

std::string name_of(int descriptor) {
    std::array<char, 256> name{};
    return ::ttyname_r(descriptor, name.data(), name.size()) == 0 ? std::string{name.data()} : std::string{};
}

// Keys one by one, unseen, with Ctrl-C and Ctrl-S as bytes like any other. Output stays as it was, so that a line that
// another part of the process prints still begins at the left.
termios raw(termios modes) {
    modes.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT);
    modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    return modes;
}

Error no_terminal(std::string_view which) {
    return {
        Errc::unsupported,
        std::string{which} +
            " is not a terminal: use --plain to answer by lines, or remove this channel if no one is here to answer"};
}

asio::awaitable<boost::system::error_code> wait_readable(asio::posix::stream_descriptor& in) {
    const auto [failed] = co_await in.async_wait(asio::posix::stream_descriptor::wait_read, no_throw);
    co_return failed;
}

}  // namespace

bool colours_wanted() {
    // NOLINTBEGIN(concurrency-mt-unsafe): read once, before there is a second thread that could change it.
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    // NOLINTEND(concurrency-mt-unsafe)
    return (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view{term} != "dumb");
}

Result<std::unique_ptr<TerminalClient>> TerminalClient::open(const asio::any_io_executor& executor,
                                                             Descriptors descriptors) {
    if (!descriptors.plain && ::isatty(descriptors.in) == 0) return no_terminal("the input");
    if (!descriptors.plain && ::isatty(descriptors.out) == 0) return no_terminal("the output");
    std::unique_ptr<TerminalClient> client{new TerminalClient{executor, descriptors.plain}};
    client->is_tty_ = ::isatty(descriptors.in) != 0;
    client->shown_on_tty_ = ::isatty(descriptors.out) != 0;
    client->tty_ = name_of(descriptors.in);
    if (auto done = client->attach(client->in_, descriptors.in); !done) return done.error();
    if (auto done = client->attach(client->out_, descriptors.out); !done) return done.error();
    boost::system::error_code failed;
    if (client->is_tty_) client->in_.non_blocking(true, failed);
    if (failed) return Error{Errc::unavailable, "the terminal cannot be read without waiting: " + failed.message()};
    if (descriptors.plain) return client;
    if (auto done = client->enter_raw_mode(); !done) return done.error();
    return client;
}

TerminalClient::TerminalClient(const asio::any_io_executor& executor, bool plain)
    : plain_{plain}, in_{executor}, out_{executor}, queued_{executor, asio::steady_timer::time_point::max()} {}

TerminalClient::~TerminalClient() { restore(); }

Result<void> TerminalClient::attach(asio::posix::stream_descriptor& stream, int descriptor) {
    int own = -1;
    if (const auto tty = name_of(descriptor); !tty.empty()) own = ::open(tty.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const bool shared = own < 0;
    if (shared) own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (own < 0) return Error{Errc::unavailable, "a descriptor of the terminal is not open"};
    if (shared) flags_before_.push_back({own, ::fcntl(own, F_GETFL)});
    boost::system::error_code failed;
    stream.assign(own, failed);
    if (failed) {
        if (shared) flags_before_.pop_back();
        ::close(own);
        return Error{Errc::unavailable, "the terminal cannot be watched: " + failed.message()};
    }
    return {};
}

Result<void> TerminalClient::enter_raw_mode() {
    termios modes{};
    if (::tcgetattr(in_.native_handle(), &modes) != 0) return Error{Errc::unavailable, "the terminal tells no modes"};
    const auto wanted = raw(modes);
    if (::tcsetattr(in_.native_handle(), TCSANOW, &wanted) != 0) {
        return Error{Errc::unavailable, "the terminal takes no modes"};
    }
    modes_before_ = modes;
    // What was typed before there was anything to answer is no answer.
    ::tcflush(in_.native_handle(), TCIFLUSH);
    (void)write(std::string{brackets_on});
    return {};
}

TerminalClient::Size TerminalClient::size() {
    winsize window{};
    if (::ioctl(out_.native_handle(), TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
    return {.columns = window.ws_col, .rows = window.ws_row};
}

bool TerminalClient::write(std::string bytes, std::function<void()> written) {
    if (bytes.size() > limits::terminal_outgoing_bytes_max - outgoing_bytes_) return false;
    outgoing_bytes_ += bytes.size();
    outgoing_.push_back({std::move(bytes), std::move(written)});
    queued_.cancel();
    return true;
}

asio::awaitable<Error> TerminalClient::write_out() {
    while (true) {
        while (!outgoing_.empty()) {
            // The buffer stays where it is: a deque does not move its elements, and only this loop takes them away.
            const auto rest = asio::buffer(outgoing_.front().bytes) + taken_;
            const auto [failed, count] = co_await out_.async_write_some(rest, no_throw);
            if (failed) co_return Error{Errc::unavailable, "the output is gone: " + failed.message()};
            taken_ += count;
            if (taken_ < outgoing_.front().bytes.size()) continue;
            outgoing_bytes_ -= outgoing_.front().bytes.size();
            taken_ = 0;
            const auto written = std::move(outgoing_.front().written);
            outgoing_.pop_front();
            if (written) written();
        }
        // Cancelled by write(), or for good: then the next await ends this.
        co_await queued_.async_wait(no_throw);
    }
}

asio::awaitable<Result<std::string>> TerminalClient::read() {
    std::array<char, input_bytes> bytes{};
    boost::system::error_code failed;
    std::size_t count = 0;
    if (is_tty_) {
        do {
            failed = co_await wait_readable(in_);
            if (!failed) count = in_.read_some(asio::buffer(bytes), failed);
        } while (failed == asio::error::would_block);
    } else {
        std::tie(failed, count) = co_await in_.async_read_some(asio::buffer(bytes), no_throw);
    }
    // A terminal whose other side is gone says EIO where a pipe says that it ended.
    if (failed == asio::error::eof || failed == boost::system::errc::io_error) co_return std::string{};
    if (failed) co_return Error{Errc::unavailable, "the input is gone: " + failed.message()};
    co_return std::string{bytes.data(), count};
}

asio::awaitable<bool> TerminalClient::readable_before(Clock& clock, BootTime when) {
    using namespace asio::experimental::awaitable_operators;
    const auto first = co_await (wait_readable(in_) || clock.sleep_until(when));
    co_return first.index() == 0;
}

std::string TerminalClient::drop_typed() {
    termios modes{};
    if (!is_tty_ || ::tcgetattr(in_.native_handle(), &modes) != 0) return {};
    // A terminal in line mode hands out no line without its end.
    auto at_once = modes;
    at_once.c_lflag &= ~static_cast<tcflag_t>(ICANON);
    (void)::tcsetattr(in_.native_handle(), TCSANOW, &at_once);
    auto typed = read_now();
    ::tcflush(in_.native_handle(), TCIFLUSH);  // what came meanwhile, and what is more than anybody types
    (void)::tcsetattr(in_.native_handle(), TCSANOW, &modes);
    return typed;
}

std::string TerminalClient::read_now() {
    std::string typed;
    std::array<char, input_bytes> bytes{};
    boost::system::error_code failed;
    while (typed.size() < limits::terminal_line_bytes_max) {
        const auto count = in_.read_some(asio::buffer(bytes), failed);
        if (failed) break;
        typed.append(bytes.data(), count);
    }
    return typed;
}

void TerminalClient::echo(bool on) {
    termios modes{};
    if (!is_tty_ || ::tcgetattr(in_.native_handle(), &modes) != 0) return;
    if (!modes_before_) modes_before_ = modes;
    // ECHONL: the newline is still seen, or the next line would begin where this one did.
    modes.c_lflag = on ? modes_before_->c_lflag : (modes.c_lflag & ~static_cast<tcflag_t>(ECHO)) | ECHONL;
    (void)::tcsetattr(in_.native_handle(), TCSANOW, &modes);
}

void TerminalClient::stop_reading() {
    boost::system::error_code ignored;
    in_.cancel(ignored);
}

void TerminalClient::write_now() {
    while (!outgoing_.empty()) {
        const auto rest = std::string_view{outgoing_.front().bytes}.substr(taken_);
        const auto count = ::write(out_.native_handle(), rest.data(), rest.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) break;
        taken_ += static_cast<std::size_t>(count);
        if (taken_ < outgoing_.front().bytes.size()) continue;
        taken_ = 0;
        outgoing_.pop_front();
    }
    outgoing_.clear();
    outgoing_bytes_ = 0;
}

void TerminalClient::restore() {
    if (std::exchange(restored_, true) || !out_.is_open()) return;
    if (!plain_ && modes_before_) (void)write(std::string{brackets_off});
    // A writer that waits for ever is worse than a lost line: from here on nothing may block.
    (void)::fcntl(out_.native_handle(), F_SETFL, ::fcntl(out_.native_handle(), F_GETFL) | O_NONBLOCK);
    write_now();
    if (modes_before_) {
        if (!plain_) ::tcflush(in_.native_handle(), TCIFLUSH);
        (void)::tcsetattr(in_.native_handle(), TCSANOW, &*modes_before_);
    }
    for (const auto& flags : flags_before_) (void)::fcntl(flags.descriptor, F_SETFL, flags.before);
}

}  // namespace countersign::channels::terminal
