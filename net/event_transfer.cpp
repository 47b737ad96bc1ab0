// SPDX-License-Identifier: Apache-2.0
#include "net/event_transfer.hpp"

#include "core/limits.hpp"
#include "net/curl_rules.hpp"
#include "net/http_failure.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace countersign::net {

namespace asio = boost::asio;

EventTransfer::EventTransfer(const asio::any_io_executor& executor, HttpRequest request, HttpAddress address)
    : request_{std::move(request)}, address_{std::move(address)}, easy_{curl_easy_init()}, turn_{executor} {}

Result<void> EventTransfer::prepare(const std::string& ca_file, std::chrono::milliseconds connect_max) {
    if (!easy_) return http_failure(CURLE_OUT_OF_MEMORY, 0, address_.host);
    const auto set = [this](CURLoption option, auto value) { return curl_easy_setopt(easy_.get(), option, value); };
    headers_ = header_list(request_.headers, {"Accept: text/event-stream", "Cache-Control: no-store"});
    if (!headers_) return http_failure(CURLE_OUT_OF_MEMORY, 0, address_.host);
    auto code = set_connection_rules(easy_.get(), address_, ca_file, connect_max);
    if (code == CURLE_OK) {
        code = first_failure({
            // Uses its own connection, whose end is noticed at once.
            set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1)),
            set(CURLOPT_FRESH_CONNECT, 1L),
            set(CURLOPT_FORBID_REUSE, 1L),
            set(CURLOPT_HTTPHEADER, headers_.get()),
            set(CURLOPT_USERAGENT, "countersign/" COUNTERSIGN_VERSION),
            set(CURLOPT_HEADERFUNCTION, &EventTransfer::on_head),
            set(CURLOPT_HEADERDATA, static_cast<void*>(this)),
            set(CURLOPT_WRITEFUNCTION, &EventTransfer::on_body),
            set(CURLOPT_WRITEDATA, static_cast<void*>(this)),
        });
    }
    if (code != CURLE_OK) return http_failure(code, 0, address_.host);
    return {};
}

std::size_t EventTransfer::on_head(char* data, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<EventTransfer*>(self);
    if (transfer.head_.take({data, count})) {
        if (!transfer.head_told_ && transfer.answered()) transfer.turn_.cancel();
        return count;
    }
    transfer.refusal_ = {Errc::too_large,
                         "the answer of " + transfer.address_.host + " has a longer head than we take"};
    return CURL_WRITEFUNC_ERROR;
}

std::size_t EventTransfer::on_body(char* data, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<EventTransfer*>(self);
    transfer.paused_ = transfer.unread_.size() >= limits::sse_unread_bytes_max;
    if (transfer.paused_) return CURL_WRITEFUNC_PAUSE;
    transfer.unread_.append(data, count);
    transfer.turn_.cancel();
    return count;
}

std::string EventTransfer::take_bytes() {
    auto bytes = std::exchange(unread_, {});
    // libcurl may pass on the bytes it held back during this call.
    if (std::exchange(paused_, false) && !ended_) curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
    return bytes;
}

int EventTransfer::status() const {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    return static_cast<int>(status);
}

std::string EventTransfer::content_type() {
    for (const auto& header : head_.headers()) {
        if (header.name == "content-type") return header.value;
    }
    return {};
}

void EventTransfer::finish(CURLcode code) {
    if (ended_) return;
    if (code == CURLE_OK && !head_.whole()) code = CURLE_PARTIAL_FILE;
    ended_ = Result<void>{};
    if (code != CURLE_OK) {
        long verified = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &verified);
        ended_ = refusal_ ? *refusal_ : http_failure(code, verified, address_.host);
    }
    turn_.cancel();
}

void EventTransfer::finish(Error why) {
    if (!ended_) ended_ = std::move(why);
    turn_.cancel();
}

bool EventTransfer::has_news() {
    const bool head_is_new = answered() && !std::exchange(head_told_, answered());
    return head_is_new || !unread_.empty() || ended_.has_value();
}

asio::awaitable<bool> EventTransfer::changed(std::chrono::milliseconds silence_max) {
    if (has_news()) co_return true;
    turn_.expires_after(silence_max);
    boost::system::error_code woken;
    co_await turn_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (has_news()) co_return true;
    if (woken) throw boost::system::system_error{asio::error::operation_aborted};
    co_return false;
}

}  // namespace countersign::net
