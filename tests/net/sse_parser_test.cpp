// SPDX-License-Identifier: Apache-2.0
#include "net/sse_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace countersign::net {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Events = std::vector<SseEvent>;
using namespace std::chrono_literals;

Events drained(SseParser& parser) {
    Events events;
    while (auto event = parser.pop()) events.push_back(std::move(*event));
    return events;
}
Events read(const std::string& stream) {
    SseParser parser;
    EXPECT_TRUE(parser.push(stream));
    return drained(parser);
}
SseEvent data(std::string text) { return {.data = std::move(text)}; }

TEST(SseParser, EventsComeOutForEveryLineEndingHoweverTheBytesAreSplit) {
    const Events expected{{.type = "permission.asked", .data = "one\n\ntwo"}, {.data = "{\"a\": 1}", .id = "7"}};
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        const auto stream = "\xEF\xBB\xBF:hello" + end + "event: permission.asked" + end + "data: one" + end + "data" +
                            end + "data:two" + end + end + end + "id: 7" + end + "data:{\"a\": 1}" + end + end;
        for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
            SseParser parser;
            for (std::size_t at = 0; at < stream.size(); at += piece) {
                EXPECT_TRUE(parser.push(std::string_view{stream}.substr(at, piece)));
            }
            EXPECT_EQ(drained(parser), expected) << piece;
        }
    }
}

TEST(SseParser, OneSpaceAfterTheColonIsNotPartOfTheValue) {
    EXPECT_THAT(read("data:  two spaces \n\n"), ElementsAre(data(" two spaces ")));
    EXPECT_THAT(read("data: a:b\n\n"), ElementsAre(data("a:b")));
}

TEST(SseParser, AnEventWithoutDataIsIgnoredAndItsTypeForgotten) {
    EXPECT_THAT(read("event: lost\n\ndata: x\n\n"), ElementsAre(data("x")));
    EXPECT_THAT(read("data\n\n"), ElementsAre(data(""))) << "empty data is data";
    EXPECT_THAT(read("Data: x\nunknown: y\n\n"), IsEmpty());
}

TEST(SseParser, AByteOrderMarkIsSkippedOnlyAtTheStart) {
    EXPECT_THAT(read("data: a\n\n\xEF\xBB\xBF"
                     "data: b\n\n"),
                ElementsAre(data("a")));
}

TEST(SseParser, AnIdWithNulIsIgnoredAndAnEmptyOneClearsTheLast) {
    SseParser parser{"5"};
    EXPECT_TRUE(parser.push(std::string{"id: a\0b\ndata: x\n\n", 17}));
    EXPECT_THAT(drained(parser), ElementsAre(SseEvent{.data = "x", .id = "5"}));
    EXPECT_TRUE(parser.push("id: 6\n\n"));
    EXPECT_EQ(parser.last_id(), "6") << "an id needs no data";
    EXPECT_TRUE(parser.push("id\ndata: y\n\n"));
    EXPECT_EQ(parser.last_id(), "");
}

TEST(SseParser, I13_AnIdOnePastTheBoundIsIgnored) {
    SseParser parser;
    EXPECT_TRUE(parser.push("id: " + std::string(limits::sse_id_bytes_max, 'i') + "\n\n"));
    EXPECT_EQ(parser.last_id().size(), limits::sse_id_bytes_max);
    EXPECT_TRUE(parser.push("id: " + std::string(limits::sse_id_bytes_max + 1, 'j') + "\n\n"));
    EXPECT_EQ(parser.last_id().front(), 'i');
}

TEST(SseParser, TheIdOfAnUnfinishedEventIsIgnored) {
    SseParser parser;
    EXPECT_TRUE(parser.push("id: 1\ndata: whole\n\nid: 2\ndata: cut\n"));
    EXPECT_THAT(drained(parser), testing::SizeIs(1));
    EXPECT_EQ(parser.last_id(), "1");
}

TEST(SseParser, RetryIsANumberWithinItsBound) {
    const auto retry = [](const std::string& value) {
        SseParser parser;
        EXPECT_TRUE(parser.push("retry: " + value + "\n"));
        return parser.retry();
    };
    EXPECT_EQ(retry("2000"), 2000ms);
    EXPECT_EQ(retry(std::to_string(limits::sse_retry_max.count() + 1)), limits::sse_retry_max);
    EXPECT_EQ(retry("99999999999999999999999"), limits::sse_retry_max);
    for (const auto* other : {"", "-1", "1s", "1.5", "0x10"}) EXPECT_EQ(retry(other), std::nullopt) << other;
}

TEST(SseParser, I13_ALineOnePastTheBoundFailsPermanently) {
    SseParser parser{"", 10, 100};
    EXPECT_TRUE(parser.push("data: 1234\n\n"));
    EXPECT_EQ(parser.push("data: 12345").error().code, Errc::too_large) << "before its end";
    EXPECT_EQ(parser.push("\n\ndata: x\n\n").error().code, Errc::too_large);
    EXPECT_THAT(drained(parser), ElementsAre(data("1234")));
}

TEST(SseParser, I13_AnEventOnePastTheBoundFailsPermanently) {
    SseParser parser{"", 100, 9};
    EXPECT_TRUE(parser.push("data: 1234\ndata: 6789\n\n"));
    EXPECT_EQ(parser.push("data: 1234\ndata: 67890\n\n").error().code, Errc::too_large);
    EXPECT_THAT(drained(parser), ElementsAre(data("1234\n6789")));
}

TEST(SseParser, BytesThatAreNotUtf8AreReplaced) {
    EXPECT_THAT(read("data: a\xFF"
                     "b\n\n"),
                ElementsAre(data("a\uFFFD"
                                 "b")));
}

}  // namespace
}  // namespace countersign::net
