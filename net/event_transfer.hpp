// SPDX-License-Identifier: Apache-2.0
// EventTransfer: one GET whose response is read as it arrives, for as long as it lasts. Unread bytes are bounded; past
// the bound libcurl stops reading, so the server waits.
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
    // Resolves when something new has arrived: the head, bytes of the body, or the end. False if nothing arrived for
    // `silence_max`. If cancelled, it throws and loses nothing.
    boost::asio::awaitable<bool> changed(std::chrono::milliseconds silence_max);
    // The bytes of the body since the last call.
    [[nodiscard]] std::string take_bytes();
    // How it ended, if it has. Without an error: the server ended its response.
    [[nodiscard]] const std::optional<Result<void>>& ended() const { return ended_; }
    // Whether the head is complete and not an interim one.
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
    CurlEasy easy_;  // after the members it borrows, so freed first
    AnswerHead head_;
    std::string unread_;
    bool head_told_ = false;
    bool paused_ = false;
    std::optional<Error> refusal_;
    std::optional<Result<void>> ended_;
    boost::asio::steady_timer turn_;  // the silence deadline; cancelled when something arrives
};

}  // namespace countersign::net
