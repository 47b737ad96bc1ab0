// SPDX-License-Identifier: Apache-2.0
// CurlConnection: the bytes of one connection that libcurl made: it resolved the name, connected, negotiated TLS and
// verified the host by the same rules as for every call (net/curl_rules). After that libcurl only encrypts and
// decrypts.
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
        std::string unix_socket;  // if set, connects there instead of to the host
        std::chrono::milliseconds connect_max;
        std::chrono::milliseconds write_max;
        std::size_t outgoing_bytes_max;
    };
    CurlConnection(const boost::asio::any_io_executor& executor, HttpAddress address, Options options);
    CurlConnection(const CurlConnection&) = delete;
    CurlConnection& operator=(const CurlConnection&) = delete;

    Result<void> prepare();
    // Resolves when connected, or with the error. Precondition: the task was started.
    boost::asio::awaitable<Result<void>> connected();

    // Reads some bytes; empty at the end. Errc::timeout if none arrived before `until`; the connection stays open. If
    // cancelled, it throws and loses nothing.
    boost::asio::awaitable<Result<std::string>> read(Deadline until);
    // See MessageStream::write.
    boost::asio::awaitable<Result<void>> write(std::string bytes);
    // Ends all current and later reads and writes. The connection itself closes when the task leaves its loop.
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
    CurlEasy easy_;                                 // after the members it borrows, so freed first
    boost::asio::posix::stream_descriptor socket_;  // a duplicate, used only for waiting
    boost::asio::steady_timer turn_;                // the connect deadline; cancelled by finish()
    std::optional<Result<void>> outcome_;
    WriteQueue queue_;
    bool yield_ = false;  // the last read got bytes at once
};

}  // namespace countersign::net
