// SPDX-License-Identifier: Apache-2.0
// Child: a supervised process on pipes (net/spawn says what it is given). It is reaped, and neither it nor what it
// leaves in its process group outlives finish(), stop() or the Child.
//
// Not a sandbox: a child of the same user can read what we can read, and what it starts in a session of its own stays.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"
#include "net/descriptor_writer.hpp"
#include "net/spawn.hpp"
#include "net/tail.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>

namespace countersign::net {

// "exited with 1", "was killed by signal 9".
struct ExitStatus {
    int code = 0;
    int signal = 0;
    [[nodiscard]] bool clean() const { return code == 0 && signal == 0; }
};
[[nodiscard]] std::string describe(const ExitStatus& status);

class Child {
public:
    // `write_max`: how long one write may wait for it to read.
    static Result<std::unique_ptr<Child>> start(const boost::asio::any_io_executor& executor, const ChildSpec& spec,
                                                std::chrono::milliseconds write_max = limits::agent_write_max);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();  // kills and reaps what stop() did not

    // Some bytes of its stdout; empty at its end.
    boost::asio::awaitable<Result<std::string>> read();
    // All of it, after what earlier calls write, within write_max. Errc::busy past agent_outgoing_bytes_max. A write
    // that fails or is cancelled halfway closes its stdin.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Reads its stderr to the end and keeps the last child_stderr_bytes_max of it.
    boost::asio::awaitable<void> collect_stderr();
    // From the start of a line on. As the child wrote it: whoever shows it redacts it.
    [[nodiscard]] std::string stderr_tail() const { return stderr_tail_.text(); }

    void close_stdin();
    // Ends every read of its streams, now and later.
    void close_output();
    // Resolves when it has ended; it is not reaped by that.
    boost::asio::awaitable<void> ended();
    // For one that has closed its output: gives it child_stop_max to end by itself, then stop().
    boost::asio::awaitable<ExitStatus> finish();
    // SIGTERM to its process group, SIGKILL after child_stop_max; reaped when this resolves.
    boost::asio::awaitable<ExitStatus> stop();
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] boost::asio::any_io_executor executor() { return stdout_.get_executor(); }

private:
    Child(const boost::asio::any_io_executor& executor, const Spawned& spawned, std::chrono::milliseconds write_max);
    boost::asio::awaitable<bool> ends_within(std::chrono::milliseconds time);
    void reap();

    pid_t pid_;
    DescriptorWriter stdin_;
    boost::asio::posix::stream_descriptor stdout_;
    boost::asio::posix::stream_descriptor stderr_;
    boost::asio::posix::stream_descriptor ended_;  // a pidfd: readable when it has ended
    Tail stderr_tail_;
    bool reaped_ = false;
    ExitStatus status_;
};

}  // namespace countersign::net
