// SPDX-License-Identifier: Apache-2.0
#include "net/curl_connection.hpp"

#include "net/curl_rules.hpp"
#include "net/http_failure.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <fcntl.h>

namespace countersign::net {

namespace asio = boost::asio;
using Wait = asio::posix::stream_descriptor::wait_type;

CurlConnection::CurlConnection(const asio::any_io_executor& executor, HttpAddress address, Options options)
    : address_{std::move(address)},
      options_{std::move(options)},
      easy_{curl_easy_init()},
      socket_{executor},
      turn_{executor, options_.connect_max},
      queue_{executor, options_.outgoing_bytes_max} {}

Error CurlConnection::broken() const { return {Errc::unavailable, "the connection to " + address_.host + " broke"}; }

Result<void> CurlConnection::prepare() {
    if (!easy_) return http_failure(CURLE_OUT_OF_MEMORY, 0, address_.host);
    const auto set = [this](CURLoption option, auto value) { return curl_easy_setopt(easy_.get(), option, value); };
    auto code = set_connection_rules(easy_.get(), address_, options_.ca_file, options_.connect_max);
    if (code == CURLE_OK) {
        code = first_failure({set(CURLOPT_CONNECT_ONLY, 1L),
                              // A WebSocket begins as HTTP/1.1, so TLS must not negotiate HTTP/2.
                              set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1)),
                              set(CURLOPT_FRESH_CONNECT, 1L)});
    }
    if (code == CURLE_OK && !options_.unix_socket.empty()) {
        code = set(CURLOPT_UNIX_SOCKET_PATH, options_.unix_socket.c_str());
    }
    if (code != CURLE_OK) return http_failure(code, 0, address_.host);
    return {};
}

// libcurl may close its own descriptor at any time; our duplicate stays valid until we close it.
Result<void> CurlConnection::take_socket() {
    curl_socket_t theirs = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(easy_.get(), CURLINFO_ACTIVESOCKET, &theirs) != CURLE_OK || theirs == CURL_SOCKET_BAD) {
        return broken();
    }
    const int ours = ::fcntl(theirs, F_DUPFD_CLOEXEC, 0);
    boost::system::error_code failed;
    if (ours >= 0) socket_.assign(ours, failed);
    if (ours < 0 || failed) return broken();
    return {};
}

void CurlConnection::finish(CURLcode code) {
    if (!outcome_ && code == CURLE_OK) outcome_ = take_socket();
    if (!outcome_) {
        long verified = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &verified);
        outcome_ = http_failure(code, verified, address_.host);
    }
    turn_.cancel();
}

void CurlConnection::finish(Error why) {
    if (!outcome_) outcome_ = std::move(why);
    close();
    turn_.cancel();
}

asio::awaitable<Result<void>> CurlConnection::connected() {
    boost::system::error_code woken;
    if (!outcome_) co_await turn_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (outcome_) co_return *outcome_;
    if (woken) throw boost::system::system_error{asio::error::operation_aborted};
    co_return http_failure(CURLE_OPERATION_TIMEDOUT, 0, address_.host);
}

asio::awaitable<Result<std::string>> CurlConnection::read(Deadline until) {
    // A peer that sends without pause must not block the event loop.
    if (std::exchange(yield_, false)) co_await asio::post(socket_.get_executor(), asio::use_awaitable);
    std::array<char, 16 * 1024> buffer;
    while (socket_.is_open()) {
        std::size_t got = 0;
        const auto code = curl_easy_recv(easy_.get(), buffer.data(), buffer.size(), &got);
        if (code == CURLE_OK) {
            yield_ = true;
            co_return std::string{buffer.data(), got};
        }
        if (code != CURLE_AGAIN) co_return broken();
        const auto waited = co_await wait_ready(socket_, Wait::wait_read, until);
        if (waited == asio::error::timed_out) {
            co_return Error{Errc::timeout, address_.host + " was silent for too long"};
        }
        if (waited && socket_.is_open()) co_return broken();
    }
    co_return Error{Errc::unavailable, "the connection to " + address_.host + " was closed on this side"};
}

asio::awaitable<Result<void>> CurlConnection::write(std::string bytes) {
    const auto turn = co_await queue_.enter(bytes.size());
    if (!turn) co_return Error{turn.error().code, address_.host + " does not read what we send"};
    // If this ends early, e.g. by an exception, half of the message may have been sent, so nothing may follow.
    struct Guard {
        CurlConnection* connection;
        ~Guard() {
            if (connection != nullptr) connection->close();
        }
    } guard{this};
    const auto until = std::chrono::steady_clock::now() + options_.write_max;
    std::string_view rest{bytes};
    while (socket_.is_open()) {
        std::size_t sent = 0;
        const auto code = rest.empty() ? CURLE_OK : curl_easy_send(easy_.get(), rest.data(), rest.size(), &sent);
        rest.remove_prefix(sent);
        if (rest.empty()) {
            guard.connection = nullptr;
            co_return Result<void>{};
        }
        if (code != CURLE_OK && code != CURLE_AGAIN) co_return broken();
        const auto waited = co_await wait_ready(socket_, Wait::wait_write, until);
        if (waited == asio::error::timed_out) {
            co_return Error{Errc::timeout, address_.host + " did not read what we sent in time"};
        }
        if (waited) co_return broken();
    }
    co_return broken();
}

void CurlConnection::close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

}  // namespace countersign::net
