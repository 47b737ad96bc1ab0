// SPDX-License-Identifier: Apache-2.0
#include "core/hub/session_threads.hpp"

#include "core/limits.hpp"

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
    threads.shown(session, thread("m1"), 1);
    threads.shown(session, thread("m2"), 1);
    EXPECT_EQ(first(threads), message("m1"));
    EXPECT_FALSE(first(threads, "elsewhere"));
    EXPECT_FALSE(threads.first(session, "pager", {.chat = "room", .principal = {}}));
    EXPECT_FALSE(threads.first(session, "ops", {.chat = "room", .principal = {}, .thread = "7"})) << "another topic";
    EXPECT_FALSE(threads.first({"other", "s1"}, "ops", {.chat = "room", .principal = {}})) << "another agent's";
}

TEST(SessionThreads, ASessionWithoutANameHasNoThread) {
    SessionThreads threads;
    threads.shown({"dev", ""}, thread("m1"), 1);
    EXPECT_EQ(threads.size(), 0U);
}

TEST(SessionThreads, TheSessionsOfARuntimeAreTakenOnce) {
    SessionThreads threads;
    threads.shown(session, thread("m1"), 1);
    threads.shown(session, thread("m2", "elsewhere"), 1);
    threads.shown({"dev", "s2"}, thread("m3"), 2);
    const auto taken = threads.take(1, {});
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.at(session).size(), 2U);
    EXPECT_TRUE(threads.take(1, {}).empty());
    EXPECT_FALSE(first(threads));
    EXPECT_EQ(threads.size(), 1U);
}

TEST(SessionThreads, I13_OnePlaceTooManyForgetsTheSessionThatWasShownLongestAgo) {
    SessionThreads threads;
    threads.shown(session, thread("m1"), 1);
    threads.shown({"dev", "old"}, thread("m2"), 1);
    threads.shown(session, thread("m3"), 1);
    for (std::size_t i = 2; i < limits::session_threads_max; ++i) {
        threads.shown({"dev", "x" + std::to_string(i)}, thread("m"), 1);
    }
    EXPECT_TRUE(threads.first({"dev", "old"}, "ops", {.chat = "room", .principal = {}}));
    EXPECT_EQ(threads.size(), limits::session_threads_max);
    threads.shown({"dev", "new"}, thread("m"), 1);
    EXPECT_EQ(threads.size(), limits::session_threads_max);
    EXPECT_FALSE(threads.first({"dev", "old"}, "ops", {.chat = "room", .principal = {}}));
    EXPECT_TRUE(first(threads));
}

}  // namespace
}  // namespace countersign
