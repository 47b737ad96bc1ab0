// SPDX-License-Identifier: Apache-2.0
#include "core/hub/session_threads.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

const Asker session{"dev", "s1"};

MessageRef message(const std::string& name, const std::string& chat = "room") { return {{"ops", chat, "", name}, 0}; }
SessionThreads::Thread thread(const std::string& name, const std::string& chat = "room") {
    return {.to = {.chat = chat, .principal = {}}, .first = message(name, chat), .language = "en"};
}
std::optional<MessageRef> first(const SessionThreads& threads, const std::string& chat = "room") {
    return threads.first(session, "ops", {.chat = chat, .principal = {}});
}

TEST(SessionThreads, TheFirstMessageOfASessionInAPlaceStaysTheFirst) {
    SessionThreads threads;
    EXPECT_FALSE(first(threads));
    threads.shown(session, thread("m1"), nullptr);
    threads.shown(session, thread("m2"), nullptr);
    EXPECT_EQ(first(threads), message("m1"));
    EXPECT_FALSE(first(threads, "elsewhere"));
    EXPECT_FALSE(threads.first(session, "pager", {.chat = "room", .principal = {}}));
    EXPECT_FALSE(threads.first(session, "ops", {.chat = "room", .principal = {}, .thread = "7"})) << "another topic";
    EXPECT_FALSE(threads.first({"other", "s1"}, "ops", {.chat = "room", .principal = {}})) << "another agent's";
}

TEST(SessionThreads, ASessionWithoutANameHasNone) {
    SessionThreads threads;
    threads.shown({"dev", ""}, thread("m1"), nullptr);
    EXPECT_EQ(threads.size(), 0U);
}

TEST(SessionThreads, ARuntimesSessionsAreTakenOnce) {
    SessionThreads threads;
    const fakes::FakeRuntime mine;
    const fakes::FakeRuntime other;
    threads.shown(session, thread("m1"), &mine);
    threads.shown(session, thread("m2", "elsewhere"), &mine);
    threads.shown({"dev", "s2"}, thread("m3"), &other);
    const auto taken = threads.take(mine);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.at(session).size(), 2U);
    EXPECT_TRUE(threads.take(mine).empty());
    EXPECT_FALSE(first(threads));
    EXPECT_EQ(threads.size(), 1U);
}

TEST(SessionThreads, ARuntimeThatComesToStandWhereAnotherStoodDoesNotEndItsSessions) {
    SessionThreads threads;
    const fakes::FakeRuntime runtime;
    threads.shown(session, thread("m1"), &runtime);
    threads.disown(runtime);
    threads.shown({"dev", "s2"}, thread("m2"), &runtime);
    const auto taken = threads.take(runtime);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_TRUE(taken.contains({"dev", "s2"}));
    EXPECT_EQ(first(threads), message("m1")) << "what follows still goes below it";
}

TEST(SessionThreads, I13_OnePlaceTooManyAndTheSessionThatWasShownLeastLatelyIsForgotten) {
    SessionThreads threads;
    threads.shown(session, thread("m1"), nullptr);
    threads.shown({"dev", "old"}, thread("m2"), nullptr);
    threads.shown(session, thread("m3"), nullptr);
    for (std::size_t i = 2; i < limits::session_threads_max; ++i) {
        threads.shown({"dev", "x" + std::to_string(i)}, thread("m"), nullptr);
    }
    EXPECT_TRUE(threads.first({"dev", "old"}, "ops", {.chat = "room", .principal = {}}));
    EXPECT_EQ(threads.size(), limits::session_threads_max);
    threads.shown({"dev", "new"}, thread("m"), nullptr);
    EXPECT_EQ(threads.size(), limits::session_threads_max);
    EXPECT_FALSE(threads.first({"dev", "old"}, "ops", {.chat = "room", .principal = {}}));
    EXPECT_TRUE(first(threads));
}

}  // namespace
}  // namespace countersign
