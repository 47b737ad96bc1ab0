// SPDX-License-Identifier: Apache-2.0
// CurlConnection: the bytes of one connection that libcurl made: resolved, connected, TLS agreed upon and the host
// verified by the same rules as every call (net/curl_rules). After that libcurl only encrypts and decrypts.
#pragma once

#include "core/limits.hpp"
#include "net/curl_task.hpp"
#include "net/http_address.hpp"
#include "net/wait_ready.hpp"
#include "net/write_queue.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace countersign::net {

class CurlConnection final : public CurlTask {
public:
    struct Options {
        std::string ca_file;
        std::string unix_socket;  // not empty: connected to instead of the host
        std::chrono::milliseconds connect_max;
        std::chrono::milliseconds write_max;
        std::size_t outgoing_bytes_max;
    };
    CurlConnection(const boost::asio::any_io_executor& executor, HttpAddress address, Options options);
    CurlConnection(const CurlConnection&) = delete;
    CurlConnection& operator=(const CurlConnection&) = delete;

    Result<void> prepare();
    // Resolves when the connection is made, or with the reason why not. For a task that was started.
    boost::asio::awaitable<Result<void>> connected();

    // Some bytes; empty at the end. Errc::timeout: none came before `until`, and the connection goes on. Cancelled, it
    // throws and loses nothing.
    boost::asio::awaitable<Result<std::string>> read(Deadline until);
    // As MessageStream::write.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Ends every read and write, now and later. The connection itself goes when the task leaves its loop.
    void close();
    [[nodiscard]] bool is_open() const { return socket_.is_open(); }

    [[nodiscard]] CURL* handle() const override { return easy_.get(); }
    void finish(CURLcode code) override;
    void finish(Error why) override;
    [[nodiscard]] bool keeps_connection() const override { return true; }

private:
    Result<void> take_socket();
    [[nodiscard]] Error broken() const;

    HttpAddress address_;
    Options options_;
    CurlEasy easy_;                                 // after what it borrows: freed first
    boost::asio::posix::stream_descriptor socket_;  // a duplicate, only to wait on
    boost::asio::steady_timer turn_;                // the deadline of connecting; cancelled by finish()
    std::optional<Result<void>> outcome_;
    WriteQueue queue_;
    bool yield_ = false;  // the last read found bytes at once
};

}  // namespace countersign::net
