// SPDX-License-Identifier: Apache-2.0
#include "app/outbox_listing.hpp"

#include "app/commands/audit/screen.hpp"
#include "channels/duration.hpp"
#include "core/json/fields.hpp"
#include "core/limits.hpp"
#include "core/time.hpp"
#include "core/utf8.hpp"
#include "security/display/display.hpp"

#include <algorithm>
#include <array>

namespace countersign::app {
namespace {

using channels::terminal::Ink;
using channels::terminal::paint;

constexpr std::size_t why_bytes_max = 256;

template <class Number> json::Object by_urgency(const channels::ByUrgency<Number>& numbers) {
    json::Object object;
    for (std::size_t one = 0; one < channels::urgencies; ++one) {
        object.add(std::string{name(static_cast<channels::Urgency>(one))}, static_cast<std::uint64_t>(numbers[one]));
    }
    return object;
}

std::string cut(std::string_view why) { return std::string{utf8::head(utf8::repaired(why), why_bytes_max)}; }

json::Object json_of(const channels::WaitingChat& waiting) {
    return {{"chat", utf8::repaired(waiting.chat)},
            {"waiting", by_urgency(waiting.letters)},
            {"waitedMs", waiting.waited.count()},
            {"tries", waiting.tries},
            {"why", cut(waiting.why)},
            {"sending", waiting.in_flight},
            {"nextInMs", waiting.next_in.count()}};
}

json::Object json_of(const DeadLetter& letter) {
    json::Object object{{"at", rfc3339(letter.at)},
                        {"channel", letter.channel},
                        {"chat", utf8::repaired(letter.chat)},
                        {"what", letter.what},
                        {"why", cut(letter.why)}};
    if (letter.request) object.add("requestId", letter.request->str());
    return object;
}

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

struct Waiting {
    std::int64_t approvals = 0, conclusions = 0, others = 0;
    [[nodiscard]] std::int64_t all() const { return approvals + conclusions + others; }
};
Waiting waiting_of(json::Fields& fields) {
    json::Fields numbers{fields.value("waiting")};
    const Waiting waiting{numbers.integer("approval"), numbers.integer("conclusion"), numbers.integer("other")};
    if (!numbers.wrong().empty()) fields.fail("waiting." + numbers.wrong());
    return waiting;
}

std::string messages(std::int64_t count) {
    return counted(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)), "message", "messages");
}

std::string next_try(json::Fields& chat) {
    if (chat.truth("sending")) return "now";
    const auto in = chat.integer("nextInMs");
    return in <= 0 ? "in turn" : "in " + short_span(in);
}

std::string printed_channel(json::Fields& channel, const Screen& screen) {
    const auto waiting = waiting_of(channel);
    const auto name = paint(screen.style, Ink::strong, shown(channel.text("channel")));
    if (waiting.all() == 0) return name + ": nothing waits\n";
    auto text = name + ": " + messages(waiting.all()) + " to be sent (" +
                counted(static_cast<std::uint64_t>(waiting.approvals), "card", "cards") + ", " +
                counted(static_cast<std::uint64_t>(waiting.conclusions), "conclusion", "conclusions") + ", " +
                counted(static_cast<std::uint64_t>(waiting.others), "other", "others") + ")\n";
    std::vector<std::vector<std::string>> rows{{"CHAT", "WAIT", "CARDS", "OLDEST", "TRIES", "NEXT", "WHY"}};
    for (const auto& value : channel.array("chats")) {
        json::Fields chat{value};
        const auto there = waiting_of(chat);
        rows.push_back({shown(chat.text("chat")), std::to_string(there.all()), std::to_string(there.approvals),
                        short_span(chat.integer("waitedMs")), std::to_string(chat.integer("tries")), next_try(chat),
                        shown(chat.text("why"))});
        if (!chat.wrong().empty()) channel.fail("chats." + chat.wrong());
    }
    if (rows.size() > 1) text += table(rows, screen);
    const auto more = channel.integer("moreChats");
    if (more > 0) text += "  and " + counted(static_cast<std::uint64_t>(more), "more chat", "more chats") + "\n";
    return text;
}

std::string printed_dead(json::Fields& listing, const Screen& screen) {
    const auto total = listing.integer("deadLettersTotal");
    if (total == 0) return "Nothing was given up since the start.\n";
    auto text = messages(total) + (total == 1 ? " was" : " were") + " given up since the start:\n";
    std::vector<std::vector<std::string>> rows{{"WHEN", "CHANNEL", "CHAT", "WHAT", "REQUEST", "WHY"}};
    for (const auto& value : listing.array("deadLetters")) {
        json::Fields letter{value};
        rows.push_back({letter.text("at").substr(0, 19) + "Z", shown(letter.text("channel")),
                        shown(letter.text("chat")), shown(letter.text("what")),
                        letter.has("requestId") ? shown(letter.text("requestId")) : "-", shown(letter.text("why"))});
        if (!letter.wrong().empty()) listing.fail("deadLetters." + letter.wrong());
    }
    text += table(rows, screen);
    const auto listed = static_cast<std::int64_t>(rows.size()) - 1;
    if (total > listed)
        text += "  the newest " + std::to_string(listed) + "; the log has the others, but for what was only counted\n";
    return text;
}

}  // namespace

std::string_view name(channels::Urgency urgency) {
    constexpr std::array<std::string_view, channels::urgencies> names{"approval", "conclusion", "other"};
    return names.at(channels::index_of(urgency));
}

json::Object outbox_listing(const std::vector<NamedOutbox>& outboxes, const DeadLetters& dead) {
    json::Array channels;
    std::size_t room = limits::outbox_listed_max;
    for (const auto& outbox : outboxes) {
        const auto report = outbox.report(room);
        room -= report.chats.size();
        json::Array chats;
        for (const auto& chat : report.chats) chats.emplace_back(json_of(chat));
        channels.emplace_back(json::Object{{"channel", outbox.channel},
                                           {"waiting", by_urgency(report.waiting)},
                                           {"sent", by_urgency(report.sent)},
                                           {"retried", by_urgency(report.retried)},
                                           {"chats", std::move(chats)},
                                           {"moreChats", report.more_chats}});
    }
    json::Array letters;
    const auto& kept = dead.kept();
    const auto listed = std::min(kept.size(), limits::outbox_listed_max);
    for (auto i = kept.size() - listed; i < kept.size(); ++i) letters.emplace_back(json_of(kept[i]));
    std::uint64_t total = 0;
    for (const auto& [channel, count] : dead.counts()) total += count;
    return {{"channels", std::move(channels)}, {"deadLetters", std::move(letters)}, {"deadLettersTotal", total}};
}

Result<std::string> printed_outbox(const json::Value& listing, const Screen& screen) {
    json::Fields fields{listing};
    std::string text;
    for (const auto& value : fields.array("channels")) {
        json::Fields channel{value};
        text += printed_channel(channel, screen);
        if (!channel.wrong().empty()) fields.fail("channels." + channel.wrong());
    }
    text += printed_dead(fields, screen);
    if (!fields.wrong().empty()) return Error{Errc::malformed, "the hub's answer: " + fields.wrong()};
    return text;
}

}  // namespace countersign::app
