// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtimes/file_looks.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace countersign::runtimes {

// A look that hangs until the test ends it, in time or not.
class HeldLooks final : public FileLooks {
public:
    boost::asio::awaitable<bool> run(std::function<void()> work) override {
        ++begun;
        boost::asio::steady_timer held{co_await boost::asio::this_coro::executor,
                                       boost::asio::steady_timer::time_point::max()};
        held_ = &held;
        boost::system::error_code ignored;
        if (!open) co_await held.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
        held_ = nullptr;
        if (in_time) work();
        co_return in_time;
    }
    void let_go() {
        open = true;
        if (held_ != nullptr) held_->cancel();
    }
    int begun = 0;
    bool open = false;
    bool in_time = true;

private:
    boost::asio::steady_timer* held_ = nullptr;
};

inline AgentFiles readable_files() {
    return {.view = [](const CallFacts& facts) { return FileView{.real_paths = {}, .cwd = facts.cwd}; },
            .digest = [](const std::string&) { return FileDigest{FileDigest::Kind::read, "ab"}; }};
}

}  // namespace countersign::runtimes
