// SPDX-License-Identifier: Apache-2.0
// A Web API that keeps what it was sent and answers as it was told, and what Slack brings.
#pragma once

#include "channels/slack/message.hpp"
#include "core/ports/http_client.hpp"
#include "security/form.hpp"
#include "tests/channels/platform_fakes.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::slack::fakes {

using channels::fakes::TestKeys;

inline constexpr std::string_view token = "xoxb-1-2-FakeTokenOfTheTestsAlone";
inline constexpr std::string_view app_token = "xapp-1-A0-FakeTokenOfTheTestsAlone";
inline constexpr std::string_view signing_secret = "8f742231b10e8888abcd99yyyzzz85a5";

class FakeSlack final : public HttpClient {
public:
    struct Called {
        std::string method;
        Json body;  // of a form: its fields by name; of a file: its text
        HttpRequest request;
    };

    boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
        const auto executor = co_await boost::asio::this_coro::executor;
        auto method = request.url.substr(request.url.rfind('/') + 1);
        calls.push_back({method, body_of(request), request});
        co_await boost::asio::post(executor, boost::asio::use_awaitable);  // a real call suspends, so this one does too
        if (auto& scripted = answers[method]; !scripted.empty()) {
            auto answer = std::move(scripted.front());
            scripted.pop_front();
            co_return answer;
        }
        co_return ok(answer_to(method, calls.back().body));
    }

    static HttpResponse ok(Json result) {
        result["ok"] = true;
        return {.status = 200, .body = result.dump()};
    }
    static HttpResponse refused(const std::string& error, const Json& more = Json::object()) {
        Json body{{"ok", false}, {"error", error}};
        body.update(more);
        return {.status = 200, .body = body.dump()};
    }
    void will(const std::string& method, Result<HttpResponse> answer) { answers[method].push_back(std::move(answer)); }
    [[nodiscard]] std::vector<Json> of(const std::string& method) const {
        std::vector<Json> found;
        for (const auto& call : calls) {
            if (call.method == method) found.push_back(call.body);
        }
        return found;
    }

    std::vector<Called> calls;
    std::map<std::string, std::deque<Result<HttpResponse>>> answers;
    std::size_t posted = 0;
    std::size_t connections = 0;

private:
    static Json body_of(const HttpRequest& request) {
        const auto& text = std::get<std::string>(request.body);
        const auto parsed = Json::parse(text, nullptr, false);
        if (parsed.is_object()) return parsed;
        Json fields = Json::object();
        if (const auto form = security::parse_form(text)) {
            for (const auto& [name, value] : *form) fields[name] = value;
        } else {
            fields["file"] = text;
        }
        return fields;
    }
    Json answer_to(const std::string& method, const Json& body) {
        if (method == "auth.test") {
            return {{"user_id", "U0BOT"},
                    {"bot_id", "B0BOT"},
                    {"team_id", "T0"},
                    {"team", "Acme"},
                    {"user", "countersign"}};
        }
        if (method == "chat.postMessage") {
            return {{"ts", "1763258400.00000" + std::to_string(++posted)}, {"channel", body["channel"]}};
        }
        if (method == "conversations.open") {
            return {{"channel", {{"id", "D" + body["users"].get<std::string>()}}}};
        }
        if (method == "conversations.info") return {{"channel", {{"name", "ops"}, {"is_member", true}}}};
        if (method == "files.getUploadURLExternal") {
            return {{"upload_url", "https://files.slack.com/upload/v1/secret"}, {"file_id", "F1"}};
        }
        if (method == "files.completeUploadExternal") return {{"files", Json::array({Json{{"id", "F1"}}})}};
        if (method == "apps.connections.open") {
            return {{"url", "wss://wss.slack.com/link/?ticket=" + std::to_string(++connections)}};
        }
        return Json::object();
    }
};

// A person presses a button of a message, or chooses from its list.
struct Pressing {
    std::string user = "U77";
    std::string team = "T0";
    std::string data;
    std::string chat = "C0OPS";
    std::string message = "1763258400.000001";
    std::string made = "1763258400.000000";
    std::string trigger = "1.2.abc";
    std::string author = "B0BOT";
};
inline Json block_actions(const Pressing& pressing) {
    const Json button{{"type", "button"}, {"action_id", "a"}, {"value", pressing.data}};
    Json action = button;
    action["action_ts"] = pressing.made;
    action["block_id"] = "b";
    return {{"type", "block_actions"},
            {"user", {{"id", pressing.user}, {"username", "alice"}, {"team_id", pressing.team}}},
            {"team", {{"id", "T0"}, {"domain", "acme"}}},
            {"enterprise", nullptr},
            {"channel", {{"id", pressing.chat}, {"name", "ops"}}},
            {"container",
             {{"type", "message"},
              {"message_ts", pressing.message},
              {"channel_id", pressing.chat},
              {"is_ephemeral", false}}},
            {"message",
             {{"type", "message"},
              {"bot_id", pressing.author},
              {"ts", pressing.message},
              {"blocks", Json::array({Json{{"type", "actions"}, {"elements", Json::array({button})}}})}}},
            {"trigger_id", pressing.trigger},
            {"response_url", "https://hooks.slack.com/actions/T0/1/abc"},
            {"actions", Json::array({action})}};
}

struct Filling {
    std::string user = "U77";
    std::string id = "V1";
    Json view;  // as it was opened
    Json values = Json::object();
};
inline Json view_submission(const Filling& filling) {
    auto view = filling.view;
    view["id"] = filling.id;
    view["hash"] = "1.abc";
    view["state"] = {{"values", filling.values}};
    return {{"type", "view_submission"},
            {"user", {{"id", filling.user}, {"team_id", "T0"}}},
            {"team", {{"id", "T0"}}},
            {"view", view}};
}

struct Saying {
    std::string user = "U77";
    std::string text;
    std::string chat = "C0OPS";
    std::string message = "1763258410.000005";
    std::string thread = {};
    std::string event = "Ev1";
};
inline Json event(const Saying& saying) {
    Json said{{"type", "message"},
              {"channel", saying.chat},
              {"user", saying.user},
              {"text", saying.text},
              {"ts", saying.message},
              {"team", "T0"},
              {"channel_type", saying.chat.front() == 'D' ? "im" : "channel"}};
    if (!saying.thread.empty()) said["thread_ts"] = saying.thread;
    return {{"type", "event_callback"}, {"team_id", "T0"}, {"event_id", saying.event}, {"event", said}};
}

inline std::string form_escaped(std::string_view text) {
    std::string made;
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const unsigned char c : text) {
        if (std::isalnum(c) != 0) {
            made += static_cast<char>(c);
        } else {
            made += '%';
            made += digits[c >> 4U];
            made += digits[c & 15U];
        }
    }
    return made;
}

}  // namespace countersign::channels::slack::fakes
