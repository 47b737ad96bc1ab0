// SPDX-License-Identifier: Apache-2.0
#include "audit/review/row.hpp"

#include "audit/review/search.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class RowTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
};

TEST_F(RowTest, ARequestIsOneCanonicalObject) {
    const auto id = ask({.agent = "prod-1", .tool = "Bash", .summary = "rm -rf build", .session = "s-7"});
    present(id, "ops");
    vote(id, "bob");
    clock.advance(std::chrono::milliseconds{2500});
    decide(id, "denied", "alice", "ops", 2400);
    about(id, "forwarded");
    auto log = review();
    EXPECT_THAT(listed(*log),
                ElementsAre(R"({"agentId":"prod-1","askedAt":"2025-11-16T02:00:00.000Z","channels":["ops"],)"
                            R"("decidedBy":"alice","decider":"person","decision":"denied",)"
                            R"("endedAt":"2025-11-16T02:00:02.500Z","forwarded":"yes","outcome":"denied","reason":"",)"
                            R"("records":[1,2,3,4,5],"refusals":0,"requestId":")" +
                            id.str() +
                            R"(","risk":"low","runtime":"event","sessionKey":"s-7","summary":"rm -rf build",)"
                            R"("tookMs":2400,"toolName":"Bash","voters":["bob"]})"));
}

TEST_F(RowTest, AnOpenRequestHasNoEnd) {
    const auto id = ask();
    const auto row = row_of(*review()->account(id));
    EXPECT_EQ(row.outcome, "open");
    EXPECT_EQ(row.took, not_known);
    const auto object = json_of(row);
    EXPECT_EQ(object.find("endedAt"), nullptr);
    EXPECT_EQ(object.find("tookMs"), nullptr);
    EXPECT_EQ(object.find("decision"), nullptr);
}

TEST_F(RowTest, ATableHasACellForEachTitle) {
    const auto id = ask({.summary = "ls"});
    end(id, "expired");
    const auto cells = csv_cells(row_of(*review()->account(id)));
    EXPECT_THAT(cells, SizeIs(csv_titles().size()));
    EXPECT_EQ(cells[2], "expired");
    EXPECT_EQ(cells[11], "ls");
    EXPECT_EQ(csv_titles()[11], "summary");
}

TEST_F(RowTest, ATextThatWasTooLongIsNamedByItsFile) {
    auto request = entry("request", {{"requestId", Ulid{clock.wall(), {}}.str()}});
    const std::string text = "a long text";
    const auto hash = security::hex(security::sha256(text));
    request.long_text = LogEntry::LongText{.hash = hash, .text = text};
    ASSERT_TRUE(append(std::move(request)));
    const auto row = row_of(*review()->account(Ulid{clock.wall(), {}}));
    EXPECT_THAT(row.texts, ElementsAre(hash));
    EXPECT_EQ(csv_cells(row).back(), hash);
    EXPECT_EQ(csv_titles().back(), "textFiles");
    EXPECT_NE(json_of(row).find("textFiles"), nullptr);
}

class SearchTest : public RowTest {
protected:
    std::vector<Ulid> found(std::string_view text) {
        const auto named = look_up(review()->catalogue(), text);
        return named ? std::get<std::vector<Ulid>>(*named) : std::vector<Ulid>{};
    }
};

TEST_F(SearchTest, AnIdIsFoundByItsWholeTextOrEitherEnd) {
    const auto first = ask();
    clock.advance(std::chrono::hours{24 * 365});
    const auto second = ask();
    EXPECT_THAT(found(first.str()), ElementsAre(first));
    EXPECT_THAT(found(first.str().substr(22)), ElementsAre(first)) << "four characters";
    EXPECT_THAT(found(second.str().substr(0, 8)), ElementsAre(second));
    auto lower = second.str().substr(18);
    for (auto& letter : lower) letter = static_cast<char>(std::tolower(letter));
    EXPECT_THAT(found(lower), ElementsAre(second));
}

TEST_F(SearchTest, EveryCharacterOfAnIdMustMatch) {
    const auto id = *Ulid::parse("7ZYXWVTSRQPNMKJHGFEDCBA987");
    write("request", {{"requestId", id.str()}, {"agentId", "a"}});
    for (std::size_t size = limits::review_id_chars_min; size <= 26; ++size) {
        const auto head = id.str().substr(0, size);
        const auto tail = id.str().substr(26 - size);
        EXPECT_THAT(found(head), ElementsAre(id)) << head;
        EXPECT_THAT(found(tail), ElementsAre(id)) << tail;
        for (std::size_t at = 0; at < size; ++at) {
            auto other = tail;
            other[at] = other[at] == '0' ? '1' : '0';
            EXPECT_THAT(found(other), SizeIs(0)) << other;
        }
    }
}

TEST_F(SearchTest, AnAmbiguousPartListsAllMatches) {
    const auto first = ask();
    const auto second = ask();
    EXPECT_THAT(found(first.str().substr(0, 10)), ElementsAre(first, second));
    EXPECT_THAT(found("ZZZZ"), SizeIs(0));
}

TEST_F(SearchTest, ARecordIsFoundByItsNumber) {
    const auto named = look_up(review()->catalogue(), "#123");
    ASSERT_TRUE(named);
    EXPECT_EQ(std::get<NumberedRecord>(*named).seq, 123U);
}

TEST_F(SearchTest, TextThatCannotBeAnIdIsRefused) {
    for (const auto* text : {"", "ABC", "ABCI", "ABC-D", "#", "#x", "#1x", "#-1", "01ARZ3NDEKTSV4RRFFQ69G5FAVX"}) {
        EXPECT_FALSE(look_up(review()->catalogue(), text)) << text;
    }
    EXPECT_TRUE(look_up(review()->catalogue(), "ABCD"));
}

}  // namespace
}  // namespace countersign::audit::review
