// SPDX-License-Identifier: Apache-2.0
// The hub's records of large, many or invalid inputs: every record fits, and no caller can fill the disk.
#include "core/json/write.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::question_request;
using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using namespace std::chrono_literals;

std::size_t size_of(const LogEntry& entry) { return json::canonical(entry.fields).size(); }

Request request_showing(World& world, std::string text) {
    auto request = shell_request(world.ids.next());
    std::get<Approval>(request.body).display_text = std::move(text);
    return request;
}

TEST(HubRecordsTest, I13_ATextThatIsTooLongAsJsonIsStoredSeparately) {
    World world;
    ASSERT_TRUE(world.ask(request_showing(world, std::string(limits::record_display_bytes_max / 2, 'x'))));
    EXPECT_FALSE(world.ledger.last("request")->long_text);
    ASSERT_TRUE(world.ask(request_showing(world, std::string(limits::record_display_bytes_max - 100, '"'))));
    ASSERT_TRUE(world.ledger.last("request")->long_text) << "quotes take two bytes each";
    EXPECT_LT(size_of(*world.ledger.last("request")), limits::record_bytes_max / 2);
}

TEST(HubRecordsTest, I13_ManyLongAnswersAreStoredSeparately) {
    World world;
    const auto id = world.ids.next();
    auto request = question_request(id);
    auto& questions = std::get<Questionnaire>(request.body).questions;
    questions.clear();
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < limits::questions_max; ++i) {
        const auto name = "q" + std::to_string(i);
        questions.push_back({.question_id = name, .text = "?", .free_text = true});
        answers.push_back({name, {}, std::string(limits::answer_text_bytes_max, '"')});
    }
    ASSERT_TRUE(world.ask(std::move(request)));
    ASSERT_TRUE(world.decide(world.submit(id, std::move(answers))));
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::answered);
    const auto& decision = *world.ledger.last("decision");
    EXPECT_LT(size_of(decision), limits::record_bytes_max / 2);
    ASSERT_TRUE(decision.long_text);
    EXPECT_EQ(world.ledger.text("decision", "answersHash"), decision.long_text->hash);
}

TEST(HubRecordsTest, I13_ManyDecidersAreOnlyCounted) {
    auto configuration = small_configuration();
    for (int i = 0; i < 1'000; ++i) {
        const auto name = "somebody-with-a-long-name-" + std::to_string(i);
        configuration.people[name] = {
            .name = name, .principals = {"test:" + name}, .permissions = {Permission::approve}};
        configuration.routes.front().deciders.push_back(name);
    }
    World world{configuration};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    const auto& fields = world.ledger.last("request")->fields;
    EXPECT_EQ(fields.find("deciders"), nullptr);
    EXPECT_EQ(fields.find("decidersCount")->number()->lexeme, "1003");
}

TEST(HubRecordsTest, I13_DecidersAreListedUpToTheBoundAndCountedPastIt) {
    for (const std::size_t past : {0U, 1U}) {
        auto configuration = small_configuration();
        const std::string name(limits::record_deciders_bytes_max - 4 + past, 'n');  // in brackets and quotes
        configuration.people[name] = {.name = name, .principals = {"test:n"}, .permissions = {Permission::approve}};
        configuration.routes.front().deciders = {name};
        World world{configuration};
        ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
        const auto& fields = world.ledger.last("request")->fields;
        EXPECT_EQ(fields.find("deciders") == nullptr, past == 1);
        EXPECT_EQ(fields.find("decidersCount")->number()->lexeme, "1");
    }
}

TEST(HubRecordsTest, ThePlaceWhereItRunsAndItsSuspectHostsAreRecorded) {
    World world;
    auto request = shell_request(world.ids.next());
    ASSERT_TRUE(world.ask(request));
    for (const auto* name : {"host", "repository", "branch", "suspectHosts"}) {
        EXPECT_EQ(world.ledger.last("request")->fields.find(name), nullptr) << "not known, not written";
    }
    request.id = world.ids.next();
    request.workplace = {.host = "build-7", .repository = "git.example/acme/shop", .branch = "main"};
    std::get<Approval>(request.body).suspect_hosts = {
        {SuspectHost::Kind::looks_alike, "аррӏе.com", "xn--80ak6aa92e.com", "apple.com"}};
    ASSERT_TRUE(world.ask(request));
    EXPECT_EQ(world.ledger.text("request", "host"), "build-7");
    EXPECT_EQ(world.ledger.text("request", "repository"), "git.example/acme/shop");
    EXPECT_EQ(world.ledger.text("request", "branch"), "main");
    EXPECT_EQ(json::canonical(*world.ledger.last("request")->fields.find("suspectHosts")),
              R"([{"ascii":"xn--80ak6aa92e.com","kind":"looks-alike","looksLike":"apple.com","shown":"аррӏе.com"}])");
}

TEST(HubRecordsTest, ARequestRecordHasTheCallOnOneLine) {
    World world;
    ASSERT_TRUE(world.ask(request_showing(world, "make all\nmake install")));
    EXPECT_EQ(world.ledger.text("request", "summary"), "make all⏎make install");
    ASSERT_TRUE(world.ask(request_showing(world, std::string(limits::record_summary_bytes_max + 1, 'y'))));
    EXPECT_EQ(world.ledger.text("request", "summary"), std::string(limits::record_summary_bytes_max, 'y') + " …");
    ASSERT_TRUE(world.ask(request_showing(world, std::string(limits::record_summary_bytes_max, 'y'))));
    EXPECT_EQ(world.ledger.text("request", "summary"), std::string(limits::record_summary_bytes_max, 'y'));
}

TEST(HubRecordsTest, I13_ACallThatRanUnaskedIsRecordedWithABoundedLine) {
    World world;
    world.hub.asking().unasked({.agent_id = "dev", .tool_name = "Read", .summary = "/etc/hosts"});
    world.settle();
    EXPECT_EQ(world.ledger.text("unasked", "toolName"), "Read");
    EXPECT_EQ(world.ledger.text("unasked", "summary"), "/etc/hosts");
    world.hub.asking().unasked(
        {.agent_id = "dev", .tool_name = "Read", .summary = std::string(limits::record_summary_bytes_max + 1, 'y')});
    world.settle();
    const auto cut = std::string(limits::record_summary_bytes_max, 'y') + " …";
    EXPECT_EQ(world.ledger.text("unasked", "summary"), cut);
    EXPECT_EQ(summary_of(cut), cut);
    EXPECT_EQ(world.ledger.last("unasked")->fields.find("failed"), nullptr) << "only where it is true";
}

TEST(HubRecordsTest, I13_TheArgumentsOfACallThatRanUnaskedAreRecordedWithItsSession) {
    World world;
    world.hub.asking().unasked({.agent_id = "dev",
                                .tool_name = "Read",
                                .summary = "/w/.env",
                                .session_key = "s-1",
                                .display_text = "{\n  \"file_path\": \"/w/.env\"\n}",
                                .failed = true});
    world.settle();
    EXPECT_EQ(world.ledger.text("unasked", "sessionKey"), "s-1");
    EXPECT_EQ(world.ledger.text("unasked", "displayText"), "{\n  \"file_path\": \"/w/.env\"\n}");
    ASSERT_NE(world.ledger.last("unasked")->fields.find("failed"), nullptr);
    const std::string much(limits::unasked_text_bytes_max, 'y');
    for (const auto& [given, kept] : {std::pair{much, much}, std::pair{much + "y", much + " …"}}) {
        world.hub.asking().unasked({.agent_id = "dev", .tool_name = "Read", .summary = "x", .display_text = given});
        world.settle();
        EXPECT_EQ(world.ledger.text("unasked", "displayText"), kept);
    }
}

TEST(HubRecordsTest, ARequestsOwnSummaryIsRecorded) {
    World world;
    auto request = request_showing(world, "{\n  \"file_path\": \"/w/.env\"\n}");
    std::get<Approval>(request.body).summary = "/w/.env";
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_EQ(world.ledger.text("request", "summary"), "/w/.env");
}

// Turned away, unreadable, refused: each kind has its own rate.
TEST(HubRecordsTest, I13_RequestsTurnedAwayPastTheRateAreCountedNotWritten) {
    auto configuration = small_configuration();
    configuration.routes.clear();
    World world{configuration};
    for (std::size_t i = 0; i < limits::refused_records_per_minute_max + 7; ++i) {
        EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
    }
    EXPECT_EQ(world.ledger.count("turned_away"), limits::refused_records_per_minute_max);
    world.hub.asking().unreadable("dev", {Errc::malformed, "no JSON"});
    world.settle();
    EXPECT_EQ(world.ledger.count("unreadable"), 1U) << "a flood of the one does not hide the other";
    world.advance(limits::left_out_told_max);
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ledger.count("turned_away"), limits::refused_records_per_minute_max + 2);
    EXPECT_EQ(world.ledger.last("turned_away")->fields.find("suppressed")->number()->lexeme, "0") << "told before";
}

TEST(HubRecordsTest, I11_TheNumberOfSkippedRecordsIsRecordedEvenIfNoOtherRecordFollows) {
    World world;
    const auto flood = [&](std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) world.hub.asking().unreadable("dev", {Errc::malformed, "no JSON"});
        world.settle();
    };
    flood(limits::refused_records_per_minute_max + 7);
    world.advance(limits::left_out_told_max - 1ms);
    EXPECT_EQ(world.ledger.count("unreadable"), limits::refused_records_per_minute_max);
    world.advance(1ms);
    EXPECT_EQ(world.ledger.count("unreadable"), limits::refused_records_per_minute_max + 1);
    EXPECT_EQ(world.ledger.last("unreadable")->fields.find("suppressed")->number()->lexeme, "7");
    world.advance(10min);
    EXPECT_EQ(world.ledger.count("unreadable"), limits::refused_records_per_minute_max + 1) << "told once";

    flood(limits::refused_records_per_minute_max + 3);
    world.ledger.refuse_next("unreadable", Errc::busy);
    world.advance(limits::left_out_told_max);
    EXPECT_EQ(world.ledger.count("unreadable"), 2 * limits::refused_records_per_minute_max + 1) << "there was no room";
    flood(1);
    EXPECT_EQ(world.ledger.last("unreadable")->fields.find("suppressed")->number()->lexeme, "3") << "not forgotten";
}

TEST(HubRecordsTest, I11_TheNumberOfSkippedRecordsIsRecordedWhenTheHubStops) {
    World world;
    for (std::size_t i = 0; i < limits::refused_records_per_minute_max + 7; ++i) {
        world.hub.asking().unasked({.agent_id = "dev", .tool_name = "Read", .summary = "/etc/hosts"});
    }
    world.settle();
    bool stopped = false;
    boost::asio::co_spawn(world.io, world.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    EXPECT_TRUE(stopped) << "at once, without the minute";
    EXPECT_EQ(world.ledger.last("unasked")->fields.find("suppressed")->number()->lexeme, "7");
}

TEST(HubRecordsTest, AnUnreadableRequestIsRecordedWithoutItsSecrets) {
    World world;
    world.hub.asking().unreadable("dev", {Errc::malformed, "password hunter2 is no ULID"});
    world.settle();
    EXPECT_EQ(world.ledger.text("unreadable", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("unreadable", "detail"), "password «redacted» is no ULID");
}

TEST(HubRecordsTest, I11_ARecordThatTheLogRejectsIsNotLostSilently) {
    World world;
    std::vector<Errc> lost;
    const auto on_lost = [&](const Error& why) { lost.push_back(why.code); };
    world.ledger.refuse_next("config", Errc::too_large);
    world.hub.record({.kind = "config", .fields = {}, .long_text = {}}, on_lost);
    world.hub.record({.kind = "config", .fields = {}, .long_text = {}}, on_lost);
    world.settle();
    EXPECT_EQ(lost, std::vector{Errc::too_large});
    EXPECT_EQ(world.ledger.count("config"), 1U);
}

TEST(HubRecordsTest, I15_AnIdFromAnEarlierRunIsNotUsedAgain) {
    World world;
    const auto id = world.ids.next();
    world.hub.remember_earlier({id});
    EXPECT_EQ(world.ask(shell_request(id)).error().code, Errc::conflict);
    EXPECT_EQ(world.ledger.count("request"), 0U);
}

TEST(HubRecordsTest, AnUnreachedQuorumReportsHowManyAllowedInTime) {
    auto configuration = small_configuration();
    configuration.routes.front().required = 2;
    configuration.routes.front().timeout = 30min;
    World world{configuration};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    world.advance(30min);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::expired);
    EXPECT_EQ(world.agent.forwarded.at(0).reason, "1 of 2 allowed it in time");
}

}  // namespace
}  // namespace countersign
