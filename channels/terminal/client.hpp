// SPDX-License-Identifier: Apache-2.0
// TerminalClient: the terminal itself: its modes, its size, bytes in and bytes out.
//
// Nothing here blocks: output is queued and written as the terminal takes it. A terminal is opened anew by its name
// where that works, because non-blocking mode belongs to the open file, which the shell and our own standard error
// share. What was changed is put back by restore() or the destructor, whichever comes first. SIGPIPE must be ignored by
// the process.
#pragma once

#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <termios.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace countersign::channels::terminal {

// Whether the environment leaves colours on: NO_COLOR is empty or unset, and TERM is not "dumb".
[[nodiscard]] bool colours_wanted();

class TerminalClient {
public:
    struct Descriptors {
        int in = 0;
        int out = 1;
        bool plain = false;  // lines, as the terminal or pipe gives them: no mode is changed but echo()
    };
    // Borrows the descriptors only for the call. Errc::unsupported if one of them is no terminal and `plain` is not
    // set.
    [[nodiscard]] static Result<std::unique_ptr<TerminalClient>> open(const boost::asio::any_io_executor& executor,
                                                                      Descriptors descriptors);
    TerminalClient(const TerminalClient&) = delete;
    TerminalClient& operator=(const TerminalClient&) = delete;
    ~TerminalClient();

    // Whether a person types here. A script that writes into a pipe has read nothing and needs no time to.
    [[nodiscard]] bool typed_by_hand() const { return is_tty_; }
    // Whether what is written goes to a terminal, which breaks long lines.
    [[nodiscard]] bool shown_on_terminal() const { return shown_on_tty_; }
    [[nodiscard]] const std::string& tty() const { return tty_; }  // empty if the input has no name

    struct Size {
        std::size_t columns = 80;
        std::size_t rows = 24;
    };
    [[nodiscard]] Size size();  // as it is now

    // Queues. `written` is called when the last byte was taken. False, and nothing is queued, over
    // terminal_outgoing_bytes_max: whoever is there does not read.
    [[nodiscard]] bool write(std::string bytes, std::function<void()> written = {});
    // How many bytes are queued and not taken yet.
    [[nodiscard]] std::size_t backlog() const { return outgoing_bytes_; }
    // Writes what is queued, until cancelled or until the terminal is gone, which it returns.
    boost::asio::awaitable<Error> write_out();

    // Some bytes; none at the end of the input. What is typed stays in the terminal until the caller goes on with it,
    // so that drop_typed() reaches all of it.
    boost::asio::awaitable<Result<std::string>> read();
    // Takes what was typed and not read out of the terminal, half a line too, and gives it back. A pipe is left alone.
    [[nodiscard]] std::string drop_typed();
    // Whether there is something to read before `when`.
    boost::asio::awaitable<bool> readable_before(Clock& clock, BootTime when);

    // Whether typed lines are seen. For secrets in plain mode; nothing to do where the input is no terminal.
    void echo(bool on);
    // Ends a running read().
    void stop_reading();
    // Writes what it can without waiting, then puts back modes and flags.
    void restore();

private:
    struct Outgoing {
        std::string bytes;
        std::function<void()> written;
    };
    struct Flags {
        int descriptor;
        int before;
    };

    TerminalClient(const boost::asio::any_io_executor& executor, bool plain);
    [[nodiscard]] Result<void> attach(boost::asio::posix::stream_descriptor& stream, int descriptor);
    [[nodiscard]] Result<void> enter_raw_mode();
    [[nodiscard]] std::string read_now();
    void write_now();

    bool plain_;
    boost::asio::posix::stream_descriptor in_;
    boost::asio::posix::stream_descriptor out_;
    boost::asio::steady_timer queued_;  // never fires: cancelled to say that there is something to write
    bool is_tty_ = false;
    bool shown_on_tty_ = false;
    std::string tty_;
    std::optional<termios> modes_before_;
    std::deque<Flags> flags_before_;
    std::deque<Outgoing> outgoing_;
    std::size_t outgoing_bytes_ = 0;
    std::size_t taken_ = 0;  // of the first in the queue
    bool restored_ = false;
};

}  // namespace countersign::channels::terminal
