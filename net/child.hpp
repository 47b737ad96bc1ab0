// SPDX-License-Identifier: Apache-2.0
// Child: a supervised process on pipes (net/spawn describes its environment). It is always reaped, and neither it nor
// processes left in its group outlive finish(), stop() or the Child.
//
// Not a sandbox: a child of the same user can read what we can read, and processes that it starts in another session
// survive.
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
    // `write_max`: how long one write may wait for the child to read.
    static Result<std::unique_ptr<Child>> start(const boost::asio::any_io_executor& executor, const ChildSpec& spec,
                                                std::chrono::milliseconds write_max = limits::agent_write_max);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();  // kills and reaps the child if it is still there

    // Reads some bytes of its stdout; empty at the end.
    boost::asio::awaitable<Result<std::string>> read();
    // Writes all bytes, after those of earlier calls, within write_max. Errc::busy past agent_outgoing_bytes_max. A
    // write that fails or is cancelled halfway closes the child's stdin.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Reads its stderr to the end and keeps the last child_stderr_bytes_max bytes.
    boost::asio::awaitable<void> collect_stderr();
    // Starts at the beginning of a line. Raw: redact it before showing it.
    [[nodiscard]] std::string stderr_tail() const { return stderr_tail_.text(); }

    void close_stdin();
    // Ends all current and later reads of its output.
    void close_output();
    // Resolves when the child has ended; does not reap it.
    boost::asio::awaitable<void> ended();
    // Call it when the child has closed its output: waits child_stop_max for it to end, then calls stop().
    boost::asio::awaitable<ExitStatus> finish();
    // Sends SIGTERM to its process group, and SIGKILL after child_stop_max. The child is reaped when this resolves.
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
    boost::asio::posix::stream_descriptor ended_;  // a pidfd: readable when the child has ended
    Tail stderr_tail_;
    bool reaped_ = false;
    ExitStatus status_;
};

}  // namespace countersign::net
