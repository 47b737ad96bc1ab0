// SPDX-License-Identifier: Apache-2.0
// EventTransfer: one GET whose answer is read as it arrives, as long as it lasts. Bytes that the caller hasn't read are
// bounded; past the bound libcurl stops reading, and so the server waits.
#pragma once

#include "core/http_message.hpp"
#include "net/answer_head.hpp"
#include "net/curl_task.hpp"
#include "net/http_address.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace countersign::net {

class EventTransfer final : public CurlTask {
public:
    EventTransfer(const boost::asio::any_io_executor& executor, HttpRequest request, HttpAddress address);
    EventTransfer(const EventTransfer&) = delete;
    EventTransfer& operator=(const EventTransfer&) = delete;

    Result<void> prepare(const std::string& ca_file, std::chrono::milliseconds connect_max);
    // Resolves when something new is here: the head, bytes of the body, or the end. False: nothing was, for
    // `silence_max`. Cancelled, it throws and loses nothing.
    boost::asio::awaitable<bool> changed(std::chrono::milliseconds silence_max);
    // Bytes of the body since the last call.
    [[nodiscard]] std::string take_bytes();
    // How it ended; no error: the server ended its answer.
    [[nodiscard]] const std::optional<Result<void>>& ended() const { return ended_; }
    // The head is whole, and it isn't an interim one.
    [[nodiscard]] bool answered() const { return head_.whole() && status() >= 200; }
    [[nodiscard]] int status() const;
    [[nodiscard]] std::string content_type();

    [[nodiscard]] CURL* handle() const override { return easy_.get(); }
    void finish(CURLcode code) override;
    void finish(Error why) override;

private:
    [[nodiscard]] bool has_news();
    static std::size_t on_head(char* data, std::size_t, std::size_t count, void* self);
    static std::size_t on_body(char* data, std::size_t, std::size_t count, void* self);

    HttpRequest request_;
    HttpAddress address_;
    CurlList headers_;
    CurlEasy easy_;  // after what it borrows: freed first
    AnswerHead head_;
    std::string unread_;
    bool head_told_ = false;
    bool paused_ = false;
    std::optional<Error> refusal_;
    std::optional<Result<void>> ended_;
    boost::asio::steady_timer turn_;  // the silence; cancelled when something came
};

}  // namespace countersign::net
