// SPDX-License-Identifier: Apache-2.0
// A REST API that keeps what it was sent and answers as it was told, and what Discord brings.
#pragma once

#include "channels/discord/message.hpp"
#include "channels/discord/socket.hpp"
#include "core/ports/http_client.hpp"
#include "core/time.hpp"
#include "security/ed25519.hpp"
#include "security/encoding.hpp"
#include "tests/channels/telegram_fakes.hpp"
#include "tests/fakes/message_pipe.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::discord::fakes {

using telegram::fakes::TestKeys;

inline constexpr std::string_view token = "FakeTokenOfTheTests.Alone_1.-which-opens-nothing-anywhere";
inline constexpr auto application = "290926444748734465";
inline constexpr auto bot = "290926444748734466";
inline constexpr auto ops = "345626669114982999";  // a channel of a server
inline constexpr auto alice = "53908232506183680";
inline constexpr auto bob = "53908232506183681";
inline constexpr auto stranger = "53908232506183699";

// RFC 8032, 7.1, test 1.
inline constexpr std::string_view seed_hex = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
inline constexpr std::string_view public_key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

inline std::string signature_of(std::string_view message, std::string_view seed = seed_hex) {
    const auto bytes = *security::hex_decode(seed);
    const auto key = security::Ed25519SigningKey::from_seed(security::Secret{bytes});
    return security::hex(key->sign(message));
}
inline std::vector<HttpHeader> signed_headers(const std::string& body, WallTime at, std::string_view seed = seed_hex) {
    const auto seconds =
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count());
    return {{"X-Signature-Ed25519", signature_of(seconds + body, seed)}, {"X-Signature-Timestamp", seconds}};
}

// An id that was made then.
inline std::string snowflake(WallTime at, unsigned number = 0) {
    constexpr std::uint64_t epoch = 1'420'070'400'000;
    const auto ms = static_cast<std::uint64_t>(at.time_since_epoch().count()) - epoch;
    return std::to_string((ms << 22U) + number);
}

class FakeDiscord final : public HttpClient {
public:
    struct Called {
        std::string what;  // "POST channels/:id/messages"
        std::string path;
        Json body;
        HttpRequest request;
    };

    boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
        const auto executor = co_await boost::asio::this_coro::executor;
        const auto path = request.url.substr(request.url.find("/v10/") + 5);
        const auto what = what_of(request.method, path);
        calls.push_back({what, path, body_of(request), request});
        co_await boost::asio::post(executor, boost::asio::use_awaitable);  // a real call suspends, so this one does too
        if (auto& scripted = answers[what]; !scripted.empty()) {
            auto answer = std::move(scripted.front());
            scripted.pop_front();
            co_return answer;
        }
        const auto answer = answer_to(what);
        co_return HttpResponse{.status = answer.is_null() ? 204 : 200, .body = answer.is_null() ? "" : answer.dump()};
    }

    static HttpResponse refused(int status, int code, const std::string& message) {
        return {.status = status, .body = Json{{"code", code}, {"message", message}}.dump()};
    }
    static HttpResponse ok(const Json& body) { return {.status = 200, .body = body.dump()}; }
    void will(const std::string& what, Result<HttpResponse> answer) { answers[what].push_back(std::move(answer)); }
    [[nodiscard]] std::vector<Called> of(const std::string& what) const {
        std::vector<Called> found;
        std::ranges::copy_if(calls, std::back_inserter(found), [&](const Called& call) { return call.what == what; });
        return found;
    }

    std::vector<Called> calls;
    std::map<std::string, std::deque<Result<HttpResponse>>> answers;
    Json me{{"id", application},
            {"bot", {{"id", bot}, {"username", "countersign"}}},
            {"verify_key", public_key},
            {"interactions_endpoint_url", nullptr}};
    Json gateway{{"url", "wss://gateway.discord.gg"},
                 {"shards", 1},
                 {"session_start_limit",
                  {{"total", 1000}, {"remaining", 999}, {"reset_after", 14'400'000}, {"max_concurrency", 1}}}};
    unsigned posted = 0;

private:
    // Ids and the tokens of interactions as what they are.
    static std::string what_of(HttpMethod method, const std::string& path) {
        std::string what{name(method)};
        std::string_view rest = path;
        std::string first;
        for (std::size_t at = 0; !rest.empty(); ++at) {
            auto part = std::string{rest.substr(0, rest.find('/'))};
            rest.remove_prefix(std::min(rest.size(), part.size() + 1));
            if (at == 0) first = part;
            const bool credential = at == 2 && (first == "interactions" || first == "webhooks");
            if (credential) part = ":token";
            if (is_snowflake(part)) part = ":id";
            what += (at == 0 ? " " : "/") + part;
        }
        return what;
    }
    static Json body_of(const HttpRequest& request) {
        if (const auto* text = std::get_if<std::string>(&request.body)) return Json::parse(*text, nullptr, false);
        Json fields = Json::object();
        for (const auto& part : std::get<Form>(request.body)) {
            fields[part.name] = part.name == "payload_json" ? Json::parse(part.data) : Json(part.data);
        }
        return fields;
    }
    Json answer_to(const std::string& what) {
        if (what == "GET applications/@me") return me;
        if (what == "GET users/@me") return me["bot"];
        if (what == "GET gateway/bot") return gateway;
        if (what == "GET applications/:id/commands") return Json::array();
        if (what == "POST users/@me/channels") return {{"id", "777000000000000001"}};
        if (what == "POST channels/:id/messages" || what == "POST channels/:id/messages/:id/threads") {
            return {{"id", std::to_string(1'100'000'000'000'000'000ULL + ++posted)}, {"channel_id", ops}};
        }
        if (what == "POST interactions/:id/:token/callback") return nullptr;
        return Json::object();
    }
};

// A connection whose other end the test has.
class FakeLine final : public Line {
public:
    using Pipe = countersign::fakes::MessagePipe;
    explicit FakeLine(std::unique_ptr<Pipe> ours) : ours_{std::move(ours)} {}
    boost::asio::awaitable<Result<std::string>> read() override { return ours_->read(); }
    boost::asio::awaitable<Result<void>> write(std::string message) override {
        return ours_->write(std::move(message));
    }
    void close() override { ours_->close(); }
    [[nodiscard]] std::optional<std::uint16_t> closed() const override { return code; }
    boost::asio::awaitable<void> leave(std::uint16_t with) override {
        left = with;
        ours_->close();
        co_return;
    }
    std::optional<std::uint16_t> code;  // of the peer's close frame
    std::optional<std::uint16_t> left;  // what we said goodbye with

private:
    std::unique_ptr<Pipe> ours_;
};

// What Discord brings. `id` is a snowflake: also the time of the press.
struct Doing {
    std::string user = alice;
    std::string chat = ops;
    std::string id;
    std::string data = {};
    std::string message = "1100000000000000001";
    std::string author = bot;
    bool direct = false;
    std::string token = "aW50ZXJhY3Rpb24";
};
inline Json interaction(int type, const Doing& doing) {
    const Json user{{"id", doing.user}, {"username", "mason"}, {"global_name", "Mason"}, {"avatar", nullptr}};
    Json made{{"version", 1},
              {"type", type},
              {"id", doing.id},
              {"token", doing.token},
              {"application_id", application},
              {"channel_id", doing.chat},
              {"channel", {{"id", doing.chat}, {"type", doing.direct ? 1 : 0}}},
              {"context", doing.direct ? 1 : 0},
              {"locale", "en-US"},
              {"entitlements", Json::array()}};
    if (doing.direct) {
        made["user"] = user;
    } else {
        made["guild_id"] = "290926798626357999";
        made["member"] = {{"user", user}, {"roles", Json::array()}, {"permissions", "17179869183"}};
    }
    return made;
}
inline Json message_with(const Doing& doing, const std::string& data) {
    const Json button{{"type", 2}, {"style", 3}, {"label", "Allow"}, {"custom_id", data}};
    const Json row{{"type", 1}, {"components", Json::array({button})}};
    return {{"id", doing.message},
            {"channel_id", doing.chat},
            {"author", {{"id", doing.author}, {"bot", true}}},
            {"components", Json::array({Json{{"type", 17}, {"components", Json::array({row})}}})}};
}
inline Json button_press(const Doing& doing) {
    auto made = interaction(3, doing);
    made["message"] = message_with(doing, doing.data);
    made["data"] = {{"id", 2}, {"component_type", 2}, {"custom_id", doing.data}};
    return made;
}
// `fields`: what was typed, by the custom_id of each.
inline Json modal_submit(const Doing& doing, const std::map<std::string, std::string>& fields) {
    auto made = interaction(5, doing);
    made["message"] = message_with(doing, "another");
    auto labels = Json::array();
    for (const auto& [id, value] : fields) {
        labels.push_back({{"type", 18}, {"component", {{"type", 4}, {"custom_id", id}, {"value", value}}}});
    }
    made["data"] = {{"custom_id", doing.data}, {"components", labels}};
    return made;
}
inline Json slash_command(const Doing& doing, const std::string& name, const Json& options = Json::array()) {
    auto made = interaction(2, doing);
    made["data"] = {{"id", "771825006014889984"}, {"name", name}, {"type", 1}, {"options", options}};
    return made;
}
inline Json string_option(const std::string& name, const std::string& value) {
    return {{"name", name}, {"type", 3}, {"value", value}};
}
inline Json direct_message(const std::string& id, const std::string& text, const std::string& user = alice) {
    return {{"id", id},
            {"type", 0},
            {"channel_id", "777000000000000001"},
            {"author", {{"id", user}, {"username", "mason"}}},
            {"content", text},
            {"timestamp", "2025-11-16T02:00:00.000000+00:00"},
            {"edited_timestamp", nullptr}};
}

}  // namespace countersign::channels::discord::fakes
