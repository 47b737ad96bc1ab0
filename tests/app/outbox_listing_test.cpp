// SPDX-License-Identifier: Apache-2.0
#include "app/outbox_listing.hpp"

#include "app/commands/audit/screen.hpp"
#include "core/json/fields.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const WallTime at{std::chrono::milliseconds{1'763'258'400'000}};

Screen pipe() { return {.style = {.plain = true, .colour = false, .columns = 1'000}}; }

NamedOutbox phone(std::size_t chats, const std::string& why = "Too Many Requests: retry after 200") {
    return {.channel = "phone", .report = [=](std::size_t chats_max) {
                channels::OutboxReport report{.waiting = {chats, 0, 2 * chats}, .sent = {7, 8, 9}, .chats = {}};
                const auto listed = std::min(chats, chats_max);
                for (std::size_t i = 0; i < listed; ++i) {
                    report.chats.push_back({.chat = "-100" + std::to_string(i),
                                            .letters = {1, 0, 2},
                                            .waited = 15s,
                                            .tries = 3,
                                            .why = why,
                                            .next_in = 45s});
                }
                report.more_chats = chats - listed;
                return report;
            }};
}

DeadLetters dead(std::size_t count) {
    DeadLetters letters;
    for (std::size_t i = 0; i < count; ++i) {
        letters.keep({.channel = "phone",
                      .chat = "77",
                      .what = "conclusion",
                      .request = *Ulid::parse("01HZXAAAAAAAAAAAAAAAAAAAA1"),
                      .why = "Forbidden: blocked " + std::to_string(i),
                      .at = at});
    }
    return letters;
}

std::string printed(const std::vector<NamedOutbox>& outboxes, const DeadLetters& letters) {
    // As it arrives over the socket.
    const auto line = json::canonical(outbox_listing(outboxes, letters));
    const auto document = json::read(line);
    EXPECT_TRUE(document);
    const auto text = printed_outbox(document->value, pipe());
    EXPECT_TRUE(text) << describe(text.error());
    return text ? *text : "";
}

TEST(OutboxListing, WaitingMessagesAreListedWithPlaceAgeAndError) {
    const auto text = printed({phone(1)}, {});
    EXPECT_THAT(text, HasSubstr("phone: 3 messages to be sent (1 card, 0 conclusions, 2 others)"));
    EXPECT_THAT(text, HasSubstr("-1000  3     1      15.0 s  3      in 45.0 s  Too Many Requests: retry after 200"));
    EXPECT_THAT(text, HasSubstr("Nothing was given up since the start."));
}

TEST(OutboxListing, DiscardedMessagesAreListed) {
    const auto text = printed({phone(0)}, dead(1));
    EXPECT_THAT(text, HasSubstr("phone: nothing waits\n1 message was given up since the start:\n"));
    EXPECT_THAT(text, HasSubstr("2025-11-16T02:00:00Z  phone    77    conclusion  01HZXAAAAAAAAAAAAAAAAAAAA1  "
                                "Forbidden: blocked 0"));
}

TEST(OutboxListing, ErrorsFromAPlatformCannotMoveTheCursor) {
    const auto text = printed({phone(1, "\x1b[2Jgone\u202e\nsecond")}, {});
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, HasSubstr("\\u{1B}[2Jgone"));
    EXPECT_THAT(text, Not(HasSubstr("\u202e")));
}

TEST(OutboxListing, I13_OneChatAndOneDeadLetterTooManyAreOnlyCounted) {
    const auto text = printed({phone(limits::outbox_listed_max), phone(1)}, dead(limits::outbox_listed_max + 1));
    EXPECT_THAT(text, HasSubstr("and 1 more chat\n"));
    EXPECT_THAT(text, HasSubstr("101 messages were given up since the start:"));
    EXPECT_THAT(text, HasSubstr("the newest 100; the log has the others, but for what was only counted"));
    EXPECT_THAT(text, Not(HasSubstr("blocked 0\n")));
    EXPECT_THAT(text, HasSubstr("blocked 100\n"));
}

TEST(OutboxListing, I13_TheLongestAnswerFitsALineOfTheSocket) {
    DeadLetters letters;
    for (std::size_t i = 0; i < limits::dead_letters_kept_max; ++i) {
        letters.keep({.channel = std::string(limits::config_name_bytes_max, 'c'),
                      .chat = std::string(limits::principal_bytes_max, 'p'),
                      .what = "announcement",
                      .why = std::string(100'000, '\x01'),
                      .at = at});
    }
    const auto line = json::canonical(outbox_listing({phone(10'000, std::string(100'000, '\x01'))}, letters));
    EXPECT_LT(line.size(), limits::sidecar_line_bytes_max);
}

TEST(OutboxListing, AnInvalidAnswerIsRefusedByItsMember) {
    const auto document = json::read(R"({"channels":[{"channel":"x","waiting":{"approval":"1"}}],"deadLetters":[],)"
                                     R"("deadLettersTotal":0})");
    ASSERT_TRUE(document);
    const auto text = printed_outbox(document->value, pipe());
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().detail, "the hub's answer: channels.waiting.approval");
}

}  // namespace
}  // namespace countersign::app
