// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/client.hpp"

#include "channels/api_call.hpp"
#include "channels/discord/bounds.hpp"
#include "channels/discord/text.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

using Kind = Refusal::Kind;
using std::chrono::milliseconds;

// Without one of this form Discord answers as to a stranger, or not at all.
constexpr auto user_agent = "DiscordBot (https://countersign.example, " COUNTERSIGN_VERSION ")";

std::string one_line(std::string_view text) {
    return shown_line(utf8::head(text, limits::discord_description_bytes_max));
}

constexpr std::int64_t unknown_webhook = 10'015;

// The platform's numbers for an error. What is not here is rejected.
constexpr auto codes = std::to_array<std::pair<std::int64_t, Kind>>({
    {10'003, Kind::unreachable},                // unknown channel
    {10'004, Kind::unreachable},                // unknown server
    {10'008, Kind::nothing_to_do},              // unknown message
    {10'013, Kind::unreachable},                // unknown user
    {unknown_webhook, Kind::gone_interaction},  // the token of an interaction
    {10'062, Kind::gone_interaction},           // unknown interaction
    {20'016, Kind::flood},                      // slow mode
    {20'022, Kind::flood},                      // announcements
    {20'028, Kind::flood},                      // writes in this channel
    {20'029, Kind::flood},                      // writes in this server
    {30'046, Kind::retry},                      // too many edits of messages that are older than an hour
    {40'001, Kind::bad_token},
    {40'060, Kind::gone_interaction},  // answered already
    {40'333, Kind::retry},             // the network between
    {50'001, Kind::unreachable},       // no access
    {50'007, Kind::unreachable},       // this person takes no messages
    {50'008, Kind::unreachable},       // no text can be written there
    {50'013, Kind::unreachable},       // no permission
    {50'014, Kind::bad_token},
    {50'024, Kind::unreachable},  // not in this kind of channel
    {50'027, Kind::gone_interaction},
    {50'083, Kind::no_thread},       // it is archived
    {50'278, Kind::unreachable},     // no server in common with this person
    {130'000, Kind::retry},          // overloaded
    {160'002, Kind::no_reply},       // without the right to read what was written before
    {160'004, Kind::nothing_to_do},  // the thread is there already
    {160'005, Kind::no_thread},      // it is locked
    {160'006, Kind::no_thread},      // too many are open
});

std::optional<Kind> kind_of(std::int64_t code) {
    const auto* const found = std::ranges::find(codes, code, &std::pair<std::int64_t, Kind>::first);
    return found == codes.end() ? std::nullopt : std::optional{found->second};
}

// What the operator can do about a refusal that the platform's own words don't explain.
constexpr auto remedies = std::to_array<std::pair<std::int64_t, std::string_view>>({
    {10'003, "the channel's id is wrong, or the bot was removed from the server"},
    {50'001, "the bot can't see this channel: invite it to the server and give it View Channel there"},
    {50'007, "this person left the server, or takes no direct messages from it"},
    {50'013,
     "give the bot View Channel, Send Messages, Send Messages in Threads, Create Public Threads, Attach Files and Read "
     "Message History in this channel"},
});

std::string_view remedy_for(std::int64_t code) {
    const auto* const found = std::ranges::find(remedies, code, &std::pair<std::int64_t, std::string_view>::first);
    return found == remedies.end() ? std::string_view{} : found->second;
}

// "64.57" seconds, rounded up; at most what any platform's wish is cut to.
std::optional<milliseconds> seconds_in(std::string_view text) {
    double seconds = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || !(seconds >= 0)) return std::nullopt;
    const std::chrono::duration<double> most = limits::http_retry_after_max;
    return std::chrono::ceil<milliseconds>(std::chrono::duration<double>{std::min(seconds, most.count())});
}

std::optional<milliseconds> seconds_of(const HttpResponse& response, std::string_view header) {
    const auto* text = find_header(response, header);
    return text == nullptr ? std::nullopt : seconds_in(*text);
}

std::optional<milliseconds> longer(std::optional<milliseconds> one, std::optional<milliseconds> other) {
    if (!one || !other) return one ? one : other;
    return std::max(*one, *other);
}

// A body that says nothing of it comes from the network in front of the API, which counts all that this address sends.
Refusal flood_of(const HttpResponse& response, const json::Object* answer) {
    const auto* global = find_header(response, "x-ratelimit-global");
    const bool all = answer == nullptr || json::truth_of(*answer, "global") || (global != nullptr && *global == "true");
    Refusal refusal{.kind = Kind::flood,
                    .why =
                        answer == nullptr ? "too many calls (status 429)" : one_line(json::text_of(*answer, "message")),
                    .retry_after = seconds_of(response, "retry-after"),
                    .scope = all ? Refusal::Scope::bot : Refusal::Scope::bucket};
    const auto* wait = answer == nullptr ? nullptr : answer->find("retry_after");
    if (wait != nullptr && wait->number() != nullptr) {
        refusal.retry_after = longer(refusal.retry_after, seconds_in(wait->number()->lexeme));
    }
    return refusal;
}

// The first member of an error's description: "components.0.content: Must be 4000 or fewer in length."
std::string detail_of(const json::Object& errors) {
    std::string path;
    const auto* at = &errors;
    for (int depth = 0; depth < 16; ++depth) {
        if (const auto& found = json::array_in(*at, "_errors"); !found.empty()) {
            const auto* first = found.front().object();
            return path + ": " + (first == nullptr ? std::string{} : json::text_of(*first, "message"));
        }
        const auto& members = at->members();
        const auto next = std::ranges::find_if(members, [](const auto& one) { return one.second.object() != nullptr; });
        if (next == members.end()) return path;
        path += (path.empty() ? "" : ".") + next->first;
        at = next->second.object();
    }
    return path;
}

Refusal refusal_of(const HttpResponse& response, const json::Object& answer) {
    const auto code = json::integer_of(answer, "code").value_or(0);
    const auto known = kind_of(code);
    if (response.status == 429 || known == Kind::flood) {
        auto flood = flood_of(response, &answer);
        flood.code = code;
        return flood;
    }
    Refusal refusal{.kind = known.value_or(Kind::rejected), .code = code};
    if (!known && response.status == 401) refusal.kind = Kind::bad_token;
    if (!known && response.status >= 500) refusal.kind = Kind::retry;
    auto why = json::text_of(answer, "message");
    if (const auto& errors = json::object_in(answer, "errors"); !errors.empty()) why += " (" + detail_of(errors) + ")";
    refusal.why = one_line(why);
    if (code != 0) refusal.why += " [" + std::to_string(code) + "]";
    if (const auto remedy = remedy_for(code); !remedy.empty()) refusal.why += ": " + std::string{remedy};
    return refusal;
}

// Something between us and Discord answered in its place, or it is down. That says nothing about our token or our call.
Refusal foreign(const HttpResponse& response) {
    if (response.status == 429) return flood_of(response, nullptr);
    return {.kind = Kind::retry,
            .why = "the answer is not one of Discord's API (status " + std::to_string(response.status) + ")",
            .retry_after = seconds_of(response, "retry-after")};
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        parts.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// The credential in the path of an answer to an interaction; empty elsewhere.
std::string_view token_in(std::string_view path) {
    const auto parts = parts_of(path);
    const bool has = parts.size() > 2 && (parts[0] == "interactions" || parts[0] == "webhooks");
    return has ? parts[2] : std::string_view{};
}

}  // namespace

ApiReply read_reply(const HttpResponse& response) {
    const bool done = response.status >= 200 && response.status < 300;
    if (done && response.body.empty()) return ApiAnswer{};
    auto document = json::read(response.body, limits::http_answer_body_bytes_max);
    auto* answer = document ? document->value.object() : nullptr;
    auto* list = document ? document->value.array() : nullptr;
    if (done && answer != nullptr) return ApiAnswer{.object = std::move(*answer)};
    if (done && list != nullptr) return ApiAnswer{.object = {}, .list = std::move(*list)};
    const bool refused = !done && answer != nullptr && !json::text_of(*answer, "message").empty();
    return refused ? ApiReply{refusal_of(response, *answer)} : ApiReply{foreign(response)};
}

Refusal read_failure(const Error& error) {
    return {.kind = Kind::retry,
            .why = one_line(error.detail.empty() ? name(error.code) : error.detail),
            .unsent = is_unsent(error.code)};
}

Result<void> check_token(const security::Secret& token) {
    const auto text = token.reveal();
    const bool fits =
        text.size() >= limits::secret_bytes_min && std::ranges::count(text, '.') == 2 && is_token_text(text, "-._");
    if (fits) return {};
    return Error{Errc::missing_secret,
                 (text.empty() ? std::string{"the token is empty"} : "this is not a bot's token") +
                     ": copy it from the application's page in the Developer Portal, Bot, Reset Token"};
}

std::string route_of(const Call& call) {
    const auto parts = parts_of(call.path);
    if (parts[0] == "interactions" || parts[0] == "webhooks") return {};
    std::string route{name(call.verb)};
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const bool major = at == 1 && (parts[0] == "channels" || parts[0] == "guilds");
        route += at == 0 ? ' ' : '/';
        route += !major && is_digits(parts[at]) ? std::string_view{":id"} : parts[at];
    }
    return route;
}

BootTime Counters::free_at(const std::string& route) const {
    const auto name = names_.find(route);
    const auto counter = name == names_.end() ? counters_.end() : counters_.find(name->second);
    if (counter == counters_.end() || counter->second.left > 0) return all_until_;
    return std::max(all_until_, counter->second.until);
}

void Counters::spend(const std::string& route) {
    const auto name = names_.find(route);
    if (name == names_.end()) return;
    auto& left = counters_[name->second].left;
    if (left > 0) --left;
}

// The platform's name of a counter is the same for every channel, and each channel has one.
void Counters::learn(const std::string& route, const HttpResponse& response, BootTime now) {
    const auto* bucket = find_header(response, "x-ratelimit-bucket");
    const auto* left = find_header(response, "x-ratelimit-remaining");
    const auto reset = seconds_of(response, "x-ratelimit-reset-after");
    if (route.empty() || bucket == nullptr || left == nullptr || !reset) return;
    Counter counter{.left = 0, .until = now + *reset};
    const auto read = std::from_chars(left->data(), left->data() + left->size(), counter.left);
    if (read.ec != std::errc{}) return;
    make_room(now);
    const auto parts = parts_of(std::string_view{route}.substr(route.find(' ') + 1));
    const auto of = parts.size() > 1 ? std::string{parts[0]} + "/" + std::string{parts[1]} : std::string{};
    auto& name = names_[route];
    name = one_line(*bucket) + " " + of;
    counters_[name] = counter;
}

void Counters::hold(const std::string& route, const Refusal& flood, BootTime now) {
    if (!flood.retry_after) return;
    const auto until = now + *flood.retry_after;
    if (flood.scope == Refusal::Scope::bot) {
        all_until_ = std::max(all_until_, until);
        return;
    }
    if (route.empty()) return;
    make_room(now);
    auto& name = names_[route];
    if (name.empty()) name = route;
    counters_[name] = {.left = 0, .until = until};
}

// What is over says nothing any more. Should that not be enough, all is forgotten: the platform tells it again.
void Counters::make_room(BootTime now) {
    if (names_.size() < limits::discord_buckets_max) return;
    std::erase_if(counters_, [now](const auto& one) { return one.second.until <= now; });
    std::erase_if(names_, [this](const auto& one) { return !counters_.contains(one.second); });
    if (names_.size() < limits::discord_buckets_max) return;
    names_.clear();
    counters_.clear();
}

DiscordClient::DiscordClient(HttpClient& http, Clock& clock, std::string base_url, security::Secret token)
    : http_{http}, clock_{clock}, base_url_{base_of(std::move(base_url))}, token_{std::move(token)} {}

// Discord doesn't know the token of an interaction until it has the first answer, which goes out by another connection
// and may be overtaken.
asio::awaitable<ApiReply> DiscordClient::call(Call call, milliseconds deadline) {
    const bool follows = call.path.starts_with("webhooks/");
    const auto end = clock_.boot() + limits::discord_overtaking_max;
    while (true) {
        auto reply = co_await call_once(call, deadline);
        const auto* refusal = std::get_if<Refusal>(&reply);
        const bool overtook = follows && refusal != nullptr && refusal->code == unknown_webhook;
        if (!overtook || clock_.boot() >= end) co_return reply;
        co_await clock_.sleep_until(clock_.boot() + limits::discord_overtaking_interval);
    }
}

asio::awaitable<ApiReply> DiscordClient::call_once(Call call, milliseconds deadline) {
    const auto route = route_of(call);
    const auto now = clock_.boot();
    if (const auto free = counters_.free_at(route); !route.empty() && free > now) {
        co_return Refusal{.kind = Kind::flood,
                          .why = "Discord asked to wait with calls like this one",
                          .retry_after = free - now,
                          .scope = counters_.is_all_held(now) ? Refusal::Scope::bot : Refusal::Scope::bucket,
                          .unsent = true};
    }
    counters_.spend(route);
    const std::string credential{token_in(call.path)};
    HttpRequest request{.method = call.verb,
                        .url = base_url_ + "/" + call.path,
                        .headers = {{"user-agent", user_agent}},
                        .body = std::move(call.body),
                        .deadline = deadline};
    const bool is_json = std::holds_alternative<std::string>(request.body) && !call.content_type.empty();
    if (is_json) request.headers.push_back({"content-type", call.content_type});
    if (credential.empty()) request.headers.push_back({"authorization", "Bot " + std::string{token_.reveal()}});
    const auto response = co_await send_without_telling(http_, std::move(request), {token_.reveal(), credential});
    if (!response) co_return read_failure(response.error());
    auto reply = read_reply(*response);
    counters_.learn(route, *response, clock_.boot());
    const auto* refusal = std::get_if<Refusal>(&reply);
    if (refusal != nullptr && refusal->kind == Kind::flood) counters_.hold(route, *refusal, clock_.boot());
    co_return reply;
}

asio::awaitable<bool> DiscordClient::is_token_refused() {
    const auto reply = co_await call(current_user());
    const auto* refusal = std::get_if<Refusal>(&reply);
    co_return refusal != nullptr && refusal->kind == Kind::bad_token;
}

bool DiscordClient::calls_with(const security::Secret& token) const {
    return security::is_secret(token_, token.reveal());
}

}  // namespace countersign::channels::discord
