// SPDX-License-Identifier: Apache-2.0
// Where words for a person go while Slack waits for the answer to what they did.
#pragma once

#include "channels/slack/message.hpp"
#include "channels/slack/views.hpp"
#include "core/ports/inbound.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace countersign::channels::slack {

[[nodiscard]] inline Reply json_reply(const Json& body) {
    return {.status = 200, .content_type = "application/json", .body = dumped(body)};
}

// The answer to a window: it shows the words in its place.
class WindowSlot final : public ReplySlot {
public:
    WindowSlot(std::shared_ptr<ReplySlot> front, Language language) : front_{std::move(front)}, language_{language} {}
    bool fill(Reply reply) override {
        const auto body = Json::parse(reply.body, nullptr, false);
        if (!front_ || !body.is_object()) return false;
        return front_->fill(
            json_reply({{"response_action", "update"}, {"view", words_view(body["blocks"], language_)}}));
    }

private:
    std::shared_ptr<ReplySlot> front_;
    Language language_;
};

// Nothing is said: of answers that are taken one after the other only the last is told.
class SilentSlot final : public ReplySlot {
public:
    bool fill(Reply /*reply*/) override { return true; }
};

// One that a socket waits for.
class WaitingSlot final : public ReplySlot {
public:
    explicit WaitingSlot(const boost::asio::any_io_executor& executor)
        : done_{executor, boost::asio::steady_timer::time_point::max()} {}
    bool fill(Reply reply) override {
        if (reply_) return false;
        reply_ = std::move(reply);
        done_.cancel();
        return true;
    }
    boost::asio::awaitable<Reply> filled() {
        while (!reply_) {
            boost::system::error_code woken;
            co_await done_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
            const auto state = co_await boost::asio::this_coro::cancellation_state;
            if (state.cancelled() != boost::asio::cancellation_type::none) break;
        }
        co_return reply_.value_or(Reply{});
    }

private:
    boost::asio::steady_timer done_;  // cancelled when it is filled
    std::optional<Reply> reply_;
};

}  // namespace countersign::channels::slack
