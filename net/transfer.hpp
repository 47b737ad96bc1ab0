// SPDX-License-Identifier: Apache-2.0
// Transfer: one call in progress in libcurl. It sets the options, takes the response within its bounds, and wakes the
// one coroutine that waits for it.
#pragma once

#include "core/http_message.hpp"
#include "net/answer_head.hpp"
#include "net/curl_task.hpp"
#include "net/http_address.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <optional>
#include <string>

namespace countersign::net {

class Transfer final : public CurlTask {
public:
    Transfer(const boost::asio::any_io_executor& executor, HttpRequest request, HttpAddress address);
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    // Sets every option. An option that libcurl refuses is an error, because some options make the call safe.
    Result<void> prepare(const std::string& ca_file, std::chrono::milliseconds connect_max);
    [[nodiscard]] CURL* handle() const override { return easy_.get(); }

    // Only the first end has an effect; the waiter wakes on a later turn of the loop.
    void finish(CURLcode code) override;
    void finish(Error why) override;
    [[nodiscard]] bool finished() const { return outcome_.has_value(); }

    // Resolves when finish() was called or the request's deadline has passed. If cancelled, it throws.
    boost::asio::awaitable<Result<HttpResponse>> outcome();

private:
    CURLcode set_rules(const std::string& ca_file, std::chrono::milliseconds connect_max);
    CURLcode set_message();
    CURLcode set_headers();
    CURLcode set_body();
    Result<HttpResponse> answer(CURLcode code);
    template <class Value> CURLcode set(CURLoption option, Value value);

    static std::size_t on_head(char* data, std::size_t, std::size_t count, void* self);
    static std::size_t on_body(char* data, std::size_t, std::size_t count, void* self);

    HttpRequest request_;
    HttpAddress address_;
    CurlList headers_;
    CurlForm form_;
    CurlEasy easy_;  // after the members it borrows, so freed first
    AnswerHead head_;
    std::string body_;
    std::optional<Error> refusal_;  // why one of our callbacks aborted it
    std::optional<Result<HttpResponse>> outcome_;
    boost::asio::steady_timer turn_;  // the deadline; cancelled by finish()
};

}  // namespace countersign::net
