// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/messenger.hpp"

#include "channels/slack/bounds.hpp"
#include "core/json/members.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

// The name of what was posted: a message by its time. Of a file Slack may tell the time later; its id will do, because
// nothing of it is ever changed.
std::string posted_in(const json::Object& answer, const std::string& chat) {
    if (const auto message = text_of(answer, "ts"); !message.empty()) return message;
    const auto& files = array_in(answer, "files");
    const auto* file = files.empty() ? nullptr : files.front().object();
    if (file == nullptr) return text_of(answer, "message_ts");
    for (const auto* visibility : {"public", "private"}) {
        const auto& shares = array_in(object_in(object_in(*file, "shares"), visibility), chat);
        if (!shares.empty() && shares.front().object() != nullptr) return text_of(*shares.front().object(), "ts");
    }
    return text_of(*file, "id");
}

const FormPart& part_of(const Form& form, std::string_view name) {
    return *std::ranges::find(form, name, &FormPart::name);  // made by upload(), which has them all
}

std::string chat_in(const Outgoing& call) {
    if (const auto* form = std::get_if<Form>(&call.body)) return part_of(*form, "channel").data;
    if (!call.content_type.starts_with("application/json")) return {};
    const auto body = Json::parse(std::get<std::string>(call.body), nullptr, false);
    return body.is_object() && body.contains("channel") ? body["channel"].get<std::string>() : std::string{};
}

void put_chat(Outgoing& call, const std::string& chat) {
    auto& text = std::get<std::string>(call.body);
    auto body = Json::parse(text);
    body["channel"] = chat;
    text = dumped(body);
}

// False if it was in no thread.
bool leave_thread(Outgoing& call) {
    auto* text = std::get_if<std::string>(&call.body);
    auto body = text == nullptr ? Json{} : Json::parse(*text, nullptr, false);
    if (!body.is_object() || body.erase("thread_ts") == 0) return false;
    *text = dumped(body);
    return true;
}

}  // namespace

Tried tried_of(const Refusal& refusal, std::string_view method) {
    auto tried = channels::tried_of(refusal);
    if (refusal.kind == Refusal::Kind::flood) tried.scope = Tried::Scope::bucket;
    // Of one person who is not in a channel the others there hear nothing.
    if (refusal.kind == Refusal::Kind::unreachable && method == "chat.postEphemeral")
        tried.kind = Tried::Kind::rejected;
    return tried;
}

Result<std::string> SlackMessenger::chat_of(const Recipient& to) const {
    if (!to.chat.empty()) return to.chat;
    if (to.principal.empty()) return Error{Errc::undeliverable, "this step names neither a chat nor people"};
    const auto user = user_of(to.principal);
    if (!user) return Error{Errc::undeliverable, "a person of this step has no Slack id"};
    return *user;
}

Tried SlackMessenger::refused(const Refusal& refusal, std::string_view method) const {
    if (refusal.kind == Refusal::Kind::bad_token && is_gone_()) {
        return {.kind = Tried::Kind::unreachable, .why = "Slack refuses this channel's token"};
    }
    return tried_of(refusal, method);
}

asio::awaitable<std::variant<std::string, Refusal>> SlackMessenger::direct_chat(std::string user) {
    if (const auto known = direct_.find(user); known != direct_.end()) co_return known->second;
    const auto reply = co_await client_.call(open_conversation(user));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return *refusal;
    auto chat = text_of(object_in(std::get<json::Object>(reply), "channel"), "id");
    if (!is_direct(chat)) {
        co_return Refusal{.kind = Refusal::Kind::rejected, .why = "Slack's answer names no direct messages"};
    }
    if (direct_.size() >= limits::slack_direct_chats_max) direct_.erase(direct_.begin());
    direct_[user] = chat;
    co_return chat;
}

asio::awaitable<Tried> SlackMessenger::send(Outgoing call) {
    if (call.path.empty()) co_return Tried{};
    auto chat = chat_in(call);
    if (is_user(chat)) {
        const auto direct = co_await direct_chat(chat);
        if (const auto* refusal = std::get_if<Refusal>(&direct)) {
            auto tried = refused(*refusal, "conversations.open");
            tried.maybe_posted = false;
            co_return tried;
        }
        chat = std::get<std::string>(direct);
        if (std::holds_alternative<std::string>(call.body)) put_chat(call, chat);
    }
    const bool posts = call.posts;
    auto tried = call.path == upload_path ? co_await send_file(std::move(call), std::move(chat))
                                          : co_await send_to(std::move(call), std::move(chat));
    if (posts && tried.kind == Tried::Kind::done && tried.message.empty()) {
        tried = {.kind = Tried::Kind::rejected, .why = "Slack's answer names no message"};
    }
    co_return tried;
}

// What was to go below a message that is gone goes into the channel instead.
asio::awaitable<Tried> SlackMessenger::send_to(Outgoing call, std::string chat) {
    auto reply = co_await client_.call(call);
    const auto* refusal = std::get_if<Refusal>(&reply);
    if (refusal != nullptr && refusal->kind == Refusal::Kind::no_thread && leave_thread(call)) {
        reply = co_await client_.call(call);
        refusal = std::get_if<Refusal>(&reply);
    }
    if (refusal != nullptr) co_return refused(*refusal, call.path);
    co_return Tried{.message = posted_in(std::get<json::Object>(reply), chat)};
}

// Only the last of the three calls shows anything.
asio::awaitable<Tried> SlackMessenger::send_file(Outgoing call, std::string chat) {
    const auto& form = std::get<Form>(call.body);
    const auto& file = part_of(form, "file");
    const auto unposted = [this](const Refusal& refusal, std::string_view method) {
        auto tried = refused(refusal, method);
        tried.maybe_posted = false;
        return tried;
    };
    constexpr std::string_view first = "files.getUploadURLExternal";
    const auto begun = co_await client_.call(begin_upload(file.file_name, file.data.size()));
    if (const auto* refusal = std::get_if<Refusal>(&begun)) co_return unposted(*refusal, first);
    const auto& place = std::get<json::Object>(begun);
    if (const auto refusal = co_await client_.put_file(text_of(place, "upload_url"), file.data)) {
        co_return unposted(*refusal, first);
    }
    auto last = complete_upload(
        {.chat = chat, .thread = part_of(form, "thread_ts").data},
        {.file = text_of(place, "file_id"), .title = file.file_name, .caption = part_of(form, "initial_comment").data});
    co_return co_await send_to(std::move(last), std::move(chat));
}

}  // namespace countersign::channels::slack
