// SPDX-License-Identifier: Apache-2.0
// A client, its event loop, and calls in which every part except the host is a secret: no error may contain one of
// them.
#pragma once

#include "net/http_client.hpp"
#include "tests/net/http_server.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::net {

namespace asio = boost::asio;
using testing_tools::http;
using testing_tools::HttpServer;
using testing_tools::Reply;
using testing_tools::Seen;

inline const std::string secret_target = "/botSECRET/send?token=SECRET";

// The state of one call.
struct Call {
    std::optional<Result<HttpResponse>> result;
    bool cancelled = false;
    asio::cancellation_signal cancel;
    [[nodiscard]] bool ended() const { return result.has_value() || cancelled; }
};

class HttpTest : public testing::Test {
protected:
    // Runs the loop until the condition is true; fails after half a minute.
    template <class Condition> void run_until(Condition holds) {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        io.restart();
        while (!holds() && std::chrono::steady_clock::now() < give_up) io.run_one_for(std::chrono::seconds{1});
        ASSERT_TRUE(holds()) << "waited in vain";
    }

    std::shared_ptr<Call> begin(HttpRequest request) {
        request.headers.push_back({"Authorization", "Bearer SECRET"});
        auto call = std::make_shared<Call>();
        asio::co_spawn(io, client->send(std::move(request)),
                       asio::bind_cancellation_slot(
                           call->cancel.slot(), [call](const std::exception_ptr& thrown, Result<HttpResponse> result) {
                               call->cancelled = thrown != nullptr;
                               if (!thrown) call->result = std::move(result);
                           }));
        return call;
    }

    Result<HttpResponse> finish(const std::shared_ptr<Call>& call) {
        run_until([&] { return call->ended(); });
        if (!call->result) return Error{};
        if (!*call->result) {
            EXPECT_THAT(call->result->error().detail, testing::Not(testing::HasSubstr("SECRET")));
            EXPECT_THAT(call->result->error().detail, testing::Not(testing::IsEmpty()));
        }
        return *call->result;
    }

    Result<HttpResponse> send(HttpRequest request) { return finish(begin(std::move(request))); }

    // The error of a call that must fail.
    Error failure(HttpRequest request) {
        const auto result = send(std::move(request));
        EXPECT_FALSE(result) << "answered " << result->status;
        return result ? Error{} : result.error();
    }

    static std::string plain_url(const HttpServer& server) {
        return "http://127.0.0.1:" + std::to_string(server.port()) + secret_target;
    }
    static std::size_t descriptors() {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
    }

    asio::io_context io;
    std::unique_ptr<CurlHttpClient> client = std::make_unique<CurlHttpClient>(io.get_executor());
};

}  // namespace countersign::net
