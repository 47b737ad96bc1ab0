// SPDX-License-Identifier: Apache-2.0
// A Bot API that keeps what it was sent and answers as it was told.
#pragma once

#include "core/ports/http_client.hpp"
#include "tests/channels/platform_fakes.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <nlohmann/json.hpp>

#include <deque>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace countersign::channels::telegram::fakes {

using Json = nlohmann::json;

inline constexpr std::string_view token = "123456789:AAFakeTokenOfTheTestsAlone";
inline constexpr std::int64_t bot_id = 123456789;

class FakeTelegram final : public HttpClient {
public:
    struct Called {
        std::string method;
        Json body;  // of a form: its parts by name
        std::string url;
    };

    boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
        namespace asio = boost::asio;
        const auto executor = co_await asio::this_coro::executor;
        auto method = request.url.substr(request.url.rfind('/') + 1);
        Called call{method, body_of(request), request.url};
        const bool polls = method == "getUpdates";
        const bool waits = polls && call.body["timeout"] != 0;
        (polls ? polls_ : calls).push_back(call);
        co_await asio::post(executor, asio::use_awaitable);  // a real call suspends, so this one does too
        if ((polls ? waits && updates.empty() && answers[method].empty() : held)) {
            asio::steady_timer timer{executor, asio::steady_timer::time_point::max()};
            auto& waiting = polls ? polling_ : waiting_;
            const auto self = waiting.insert(waiting.end(), &timer);
            boost::system::error_code ignored;
            co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            waiting.erase(self);
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none) {
                throw boost::system::system_error{asio::error::operation_aborted};
            }
        }
        if (auto& scripted = answers[method]; !scripted.empty()) {
            auto answer = std::move(scripted.front());
            scripted.pop_front();
            co_return answer;
        }
        if (polls) co_return ok(take_updates());
        if (method == "getMe") co_return ok({{"id", bot_id}, {"is_bot", true}, {"username", "countersign_bot"}});
        if (method.starts_with("send")) co_return ok({{"message_id", ++last_message}});
        co_return ok(true);
    }

    static HttpResponse ok(const Json& result) {
        return {.status = 200, .body = Json{{"ok", true}, {"result", result}}.dump()};
    }
    static HttpResponse refused(int code, const std::string& description, const Json& parameters = nullptr) {
        Json body{{"ok", false}, {"error_code", code}, {"description", description}};
        if (!parameters.is_null()) body["parameters"] = parameters;
        return {.status = code, .body = body.dump()};
    }
    void will(const std::string& method, Result<HttpResponse> answer) { answers[method].push_back(std::move(answer)); }
    void push(Json update) {
        updates.push_back(std::move(update));
        release();
    }
    void hold(bool on) {
        held = on;
        if (on) return;
        for (auto* timer : waiting_) timer->cancel();
    }
    // Ends the long poll that waits.
    void release() {
        for (auto* timer : polling_) timer->cancel();
    }
    [[nodiscard]] std::vector<Json> of(const std::string& method) const {
        std::vector<Json> found;
        for (const auto& call : calls) {
            if (call.method == method) found.push_back(call.body);
        }
        return found;
    }
    [[nodiscard]] std::vector<std::string> methods() const {
        std::vector<std::string> names;
        for (const auto& call : calls) names.push_back(call.method);
        return names;
    }
    [[nodiscard]] const std::vector<Called>& polls() const { return polls_; }

    std::vector<Called> calls;  // all but getUpdates
    std::map<std::string, std::deque<Result<HttpResponse>>> answers;
    std::deque<Json> updates;  // given out once, whatever the offset says
    std::int64_t last_message = 41;
    bool held = false;

private:
    static Json body_of(const HttpRequest& request) {
        if (const auto* text = std::get_if<std::string>(&request.body)) return Json::parse(*text);
        Json parts = Json::object();
        for (const auto& part : std::get<Form>(request.body)) parts[part.name] = part.data;
        return parts;
    }
    Json take_updates() {
        auto batch = Json::array();
        while (!updates.empty() && batch.size() < 10) {
            batch.push_back(std::move(updates.front()));
            updates.pop_front();
        }
        return batch;
    }

    std::vector<Called> polls_;
    std::list<boost::asio::steady_timer*> waiting_;
    std::list<boost::asio::steady_timer*> polling_;
};

inline Json user(std::int64_t id, bool is_bot = false) {
    return {{"id", id}, {"is_bot", is_bot}, {"first_name", "Somebody"}};
}

struct Tap {
    std::int64_t update = 0;
    std::int64_t from = 77;
    std::string data;
    std::int64_t chat = -100;
    std::int64_t message = 42;
};
inline Json click(const Tap& tap) {
    return {{"update_id", tap.update},
            {"callback_query",
             {{"id", "q" + std::to_string(tap.update)},
              {"from", user(tap.from)},
              {"message",
               {{"message_id", tap.message},
                {"from", user(bot_id, true)},
                {"chat", {{"id", tap.chat}, {"type", tap.chat < 0 ? "supergroup" : "private"}}},
                {"date", 1763258400},
                {"text", "Approval wanted"}}},
              {"chat_instance", "1"},
              {"data", tap.data}}}};
}

struct Typed {
    std::int64_t update = 0;
    std::int64_t from = 77;
    std::string text;
    std::int64_t chat = -100;
    std::int64_t date = 1763258400;
    std::int64_t reply_to = 0;
    std::int64_t reply_author = 123456789;
};
inline Json message(const Typed& typed) {
    Json made{{"message_id", 1000 + typed.update},
              {"from", user(typed.from)},
              {"chat", {{"id", typed.chat}, {"type", typed.chat < 0 ? "supergroup" : "private"}}},
              {"date", typed.date},
              {"text", typed.text}};
    if (typed.reply_to != 0)
        made["reply_to_message"] = {{"message_id", typed.reply_to},
                                    {"from", {{"id", typed.reply_author}, {"is_bot", true}}}};
    return {{"update_id", typed.update}, {"message", made}};
}

using channels::fakes::TestKeys;

}  // namespace countersign::channels::telegram::fakes
