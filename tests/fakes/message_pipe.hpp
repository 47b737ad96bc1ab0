// SPDX-License-Identifier: Apache-2.0
// Two MessageStreams in memory: each reads what the other writes. One thread.
#pragma once

#include "net/message_stream.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace countersign::fakes {

class MessagePipe final : public net::MessageStream {
    struct Way {
        explicit Way(const boost::asio::any_io_executor& on)
            : changed{on, boost::asio::steady_timer::time_point::max()} {}
        std::deque<Result<std::string>> waiting;
        boost::asio::steady_timer changed;  // cancelled when a message arrived or the pipe was closed
        bool closed = false;
    };

public:
    static std::pair<std::unique_ptr<MessagePipe>, std::unique_ptr<MessagePipe>>
    pair(const boost::asio::any_io_executor& on) {
        const auto there = std::make_shared<Way>(on);
        const auto back = std::make_shared<Way>(on);
        return {std::unique_ptr<MessagePipe>{new MessagePipe{there, back}},
                std::unique_ptr<MessagePipe>{new MessagePipe{back, there}}};
    }

    boost::asio::awaitable<Result<std::string>> read() override {
        while (in_->waiting.empty()) {
            if (in_->closed) co_return Error{Errc::away, "the peer ended the stream"};
            boost::system::error_code ignored;
            co_await in_->changed.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
        }
        auto message = std::move(in_->waiting.front());
        in_->waiting.pop_front();
        co_return message;
    }
    boost::asio::awaitable<Result<void>> write(std::string message) override {
        if (broken || out_->closed) co_return Error{Errc::unavailable, "the stream is closed"};
        push(std::move(message));
        co_return Result<void>{};
    }
    // The next result that the other side reads, which may be an error.
    void push(Result<std::string> message) {
        out_->waiting.push_back(std::move(message));
        out_->changed.cancel();
    }
    void close() override {
        for (const auto& way : {in_, out_}) {
            way->closed = true;
            way->changed.cancel();
        }
    }
    // Messages that arrived and haven't been read yet.
    [[nodiscard]] std::deque<Result<std::string>>& arrived() { return in_->waiting; }

    bool broken = false;  // writes fail

private:
    MessagePipe(std::shared_ptr<Way> in, std::shared_ptr<Way> out) : in_{std::move(in)}, out_{std::move(out)} {}
    std::shared_ptr<Way> in_;
    std::shared_ptr<Way> out_;
};

}  // namespace countersign::fakes
