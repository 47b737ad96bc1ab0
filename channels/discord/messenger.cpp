// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/messenger.hpp"

#include "channels/discord/bounds.hpp"
#include "core/json/members.hpp"

#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

// "channels/5/messages" and what is below it, by its parts.
struct ChannelPath {
    std::string channel;
    std::string below;  // "messages", "threads/7/messages"
};
std::optional<ChannelPath> channel_path(std::string_view path) {
    constexpr std::string_view first = "channels/";
    if (!path.starts_with(first)) return std::nullopt;
    path.remove_prefix(first.size());
    const auto slash = path.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    return ChannelPath{std::string{path.substr(0, slash)}, std::string{path.substr(slash + 1)}};
}
std::string text_of(const ChannelPath& path) { return "channels/" + path.channel + "/" + path.below; }

// See NewMessage; empty: the chat itself.
std::string thread_in(const ChannelPath& path) {
    constexpr std::string_view first = "threads/";
    if (!path.below.starts_with(first)) return {};
    const auto rest = std::string_view{path.below}.substr(first.size());
    return std::string{rest.substr(0, rest.find('/'))};
}

std::string& json_of(Outgoing& call) {
    auto* form = std::get_if<Form>(&call.body);
    return form == nullptr ? std::get<std::string>(call.body) : form->front().data;  // post_file puts it first
}

// Takes a member out of a message's body.
Json take(Outgoing& call, const char* member) {
    auto& text = json_of(call);
    auto body = Json::parse(text, nullptr, false);
    if (!body.is_object() || !body.contains(member)) return nullptr;
    auto value = std::move(body[member]);
    body.erase(member);
    text = dumped(body);
    return value;
}

// In place of any other; an empty one is none.
void set_reply_to(Outgoing& call, const std::string& message) {
    auto& text = json_of(call);
    auto body = Json::parse(text, nullptr, false);
    if (!body.is_object()) return;
    body.erase("message_reference");
    if (!message.empty()) body["message_reference"] = {{"message_id", message}, {"fail_if_not_exists", false}};
    text = dumped(body);
}

const Refusal* refusal_in(const ApiReply& reply) { return std::get_if<Refusal>(&reply); }

// The thread can't be used, now or ever; the chat itself may.
bool is_no_thread(const Refusal& refusal) {
    using enum Refusal::Kind;
    return refusal.kind == no_thread || refusal.kind == unreachable;
}

constexpr std::int64_t unknown_channel = 10'003;
constexpr std::int64_t no_permission = 50'013;

}  // namespace

Tried tried_of(const Refusal& refusal) {
    using enum Refusal::Kind;
    switch (refusal.kind) {
    case nothing_to_do:
        return {};
    case retry:
        return {.kind = Tried::Kind::retry,
                .why = refusal.why,
                .after = refusal.retry_after,
                .maybe_posted = !refusal.unsent};
    case bad_token:
        return {.kind = Tried::Kind::retry, .why = refusal.why};
    case flood:
        return {.kind = Tried::Kind::retry,
                .why = refusal.why,
                .after = refusal.retry_after,
                .scope = refusal.scope == Refusal::Scope::bot ? Tried::Scope::bot : Tried::Scope::bucket,
                .held = refusal.unsent};
    case unreachable:
        return {.kind = Tried::Kind::unreachable, .why = refusal.why};
    case no_thread:
    case no_reply:
    case gone_interaction:
    case rejected:
        break;
    }
    return {.kind = Tried::Kind::rejected, .why = refusal.why};
}

Result<std::string> DiscordMessenger::chat_of(const Recipient& to) const {
    if (!to.chat.empty()) return to.chat;
    if (to.principal.empty()) return Error{Errc::undeliverable, "this step names neither a chat nor people"};
    const auto user = user_of(to.principal);
    if (!user) return Error{Errc::undeliverable, "a person of this step has no Discord id"};
    return direct_chat(*user);
}

Tried DiscordMessenger::refused(const Refusal& refusal) const {
    if (refusal.kind == Refusal::Kind::bad_token && hooks_.is_gone && hooks_.is_gone()) {
        return {.kind = Tried::Kind::unreachable, .why = "Discord refuses this channel's token"};
    }
    return tried_of(refusal);
}

asio::awaitable<std::variant<std::string, Refusal>> DiscordMessenger::direct_channel(std::string user) {
    if (const auto known = direct_.find(user); known != direct_.end()) co_return known->second;
    const auto reply = co_await client_.call(open_direct_chat(user));
    if (const auto* refusal = refusal_in(reply)) co_return *refusal;
    auto channel = json::text_of(std::get<ApiAnswer>(reply).object, "id");
    if (!is_snowflake(channel)) {
        co_return Refusal{.kind = Refusal::Kind::rejected, .why = "Discord's answer names no direct messages"};
    }
    if (direct_.size() >= limits::discord_direct_chats_max) direct_.erase(direct_.begin());
    direct_[user] = channel;
    co_return channel;
}

asio::awaitable<Tried> DiscordMessenger::send(Outgoing call) {
    if (call.path.empty()) co_return Tried{};
    if (hooks_.on_send) hooks_.on_send(call);
    auto path = channel_path(call.path);
    if (!path) {
        // To an interaction: where its time is over there is nobody to tell.
        if (call.path.starts_with("interactions/") && (!hooks_.resolve || !hooks_.resolve(call))) co_return Tried{};
        const auto reply = co_await client_.call(std::move(call));
        const auto* refusal = refusal_in(reply);
        co_return refusal == nullptr ? Tried{} : refused(*refusal);
    }
    if (const auto user = direct_user(path->channel)) {
        const auto channel = co_await direct_channel(*user);
        if (const auto* refusal = std::get_if<Refusal>(&channel)) {
            auto tried = refused(*refusal);
            tried.maybe_posted = false;
            co_return tried;
        }
        path->channel = std::get<std::string>(channel);
        call.path = text_of(*path);
    }
    const bool posts = call.posts;
    const bool has_file = std::holds_alternative<Form>(call.body);
    const auto posted = co_await post(std::move(call), path->channel, thread_in(*path));
    if (const auto* refusal = refusal_in(posted.reply)) {
        auto tried = refused(*refusal);
        // To attach files is a permission of its own: without it the card can still be shown, to be refused.
        if (has_file && refusal->code == no_permission) tried.kind = Tried::Kind::rejected;
        co_return tried;
    }
    if (!posts) co_return Tried{};
    MessageName name{.message = json::text_of(std::get<ApiAnswer>(posted.reply).object, "id"), .thread = posted.thread};
    if (!is_snowflake(name.message)) {
        co_return Tried{.kind = Tried::Kind::rejected, .why = "Discord's answer names no message"};
    }
    co_return Tried{.message = name_of(name)};
}

asio::awaitable<DiscordMessenger::Posted> DiscordMessenger::post(Outgoing call, std::string chat, std::string thread) {
    const auto name = take(call, "thread_name");
    if (!thread.empty()) {
        if (!without_threads_.contains(chat)) {
            call.path = "channels/" + thread + "/messages";
            auto reply = co_await client_.call(call);
            const auto* refusal = refusal_in(reply);
            if (refusal != nullptr && refusal->code == unknown_channel && name.is_string()) {
                reply = co_await open_thread(call, chat, thread, name.get<std::string>());
                refusal = refusal_in(reply);
            }
            if (refusal == nullptr || !is_no_thread(*refusal)) co_return Posted{std::move(reply), thread};
        }
        set_reply_to(call, thread);
        call.path = "channels/" + chat + "/messages";
    }
    auto reply = co_await client_.call(call);
    const auto* refusal = refusal_in(reply);
    if (refusal != nullptr && refusal->kind == Refusal::Kind::no_reply) {
        set_reply_to(call, {});
        reply = co_await client_.call(call);
    }
    co_return Posted{std::move(reply), {}};
}

// Where none can be opened we do without them, and do not try again in this run: each try is a call that costs time.
asio::awaitable<ApiReply> DiscordMessenger::open_thread(Outgoing call, std::string chat, std::string message,
                                                        std::string name) {
    auto opened = co_await client_.call(discord::open_thread(chat, message, name));
    const auto* refusal = refusal_in(opened);
    const bool there = refusal == nullptr || refusal->kind == Refusal::Kind::nothing_to_do;
    if (there) co_return co_await client_.call(std::move(call));
    const bool later = refusal->kind == Refusal::Kind::retry || refusal->kind == Refusal::Kind::flood ||
                       refusal->kind == Refusal::Kind::bad_token;
    if (later) {
        auto unsent = *refusal;
        unsent.unsent = true;  // the message itself
        co_return unsent;
    }
    if (without_threads_.size() < limits::discord_direct_chats_max) without_threads_.insert(chat);
    co_return Refusal{.kind = Refusal::Kind::no_thread, .why = refusal->why};
}

}  // namespace countersign::channels::discord
