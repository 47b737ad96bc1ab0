// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

namespace countersign::app {
namespace {

class ChannelMemoryTest : public testing::Test {
protected:
    void SetUp() override {
        auto pattern = (std::filesystem::temp_directory_path() / "countersign-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        state = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(state); }
    Result<ChannelMemory> open(const std::string& name = "phone") {
        return ChannelMemory::open(state, name, [this](const Error&) { ++failures; });
    }
    std::string state;
    std::atomic<int> failures{0};
};

TEST_F(ChannelMemoryTest, I12_APollerGoesOnWhereItWasAndMovedGroupsAreFollowed) {
    auto memory = open();
    ASSERT_TRUE(memory);
    EXPECT_FALSE(memory->offset());
    ASSERT_TRUE(memory->move("-5", "-1005"));
    memory->confirm(12);
    ASSERT_TRUE(memory->flush());
    const auto again = open();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->offset(), 12);
    EXPECT_EQ(again->moved().at("-5"), "-1005");
    EXPECT_FALSE(open("other")->offset()) << "each channel has its own";
}

TEST_F(ChannelMemoryTest, I11_WhatIsNotWrittenYetIsWrittenAtTheEnd) {
    {
        auto memory = open();
        for (std::int64_t offset = 1; offset <= 100; ++offset) memory->confirm(offset);
    }
    EXPECT_EQ(open()->offset(), 100);
}

TEST_F(ChannelMemoryTest, I16_WhenPollingHadCaughtUpIsKeptAboutEveryTenSeconds) {
    const WallTime then{std::chrono::seconds{1'763'258'400}};
    {
        auto memory = open();
        memory->catch_up(then);
        memory->catch_up(then + limits::caught_up_kept_every - std::chrono::milliseconds{1});
    }
    EXPECT_EQ(open()->caught_up(), then);
    open()->catch_up(then + limits::caught_up_kept_every);
    EXPECT_EQ(open()->caught_up(), then + limits::caught_up_kept_every);
    open()->catch_up(then);
    EXPECT_EQ(open()->caught_up(), then) << "a clock that was set back is believed";
}

TEST_F(ChannelMemoryTest, I13_OneMovedGroupTooManyIsRefused) {
    auto memory = open();
    ASSERT_TRUE(memory);
    for (std::size_t i = 0; i < limits::chat_moved_max; ++i) {
        ASSERT_TRUE(memory->move(std::to_string(i), "-1")) << i;
    }
    EXPECT_EQ(memory->move("one more", "-1").error().code, Errc::too_large);
    EXPECT_TRUE(memory->move("0", "-2")) << "one that is known may move again";
}

TEST_F(ChannelMemoryTest, I11_WhatCannotBeKeptIsSaid) {
    auto memory = open();
    ASSERT_TRUE(memory);
    std::filesystem::remove_all(state + "/channels");
    memory->confirm(7);
    ASSERT_TRUE(memory->flush());
    EXPECT_EQ(failures, 1);
}

TEST_F(ChannelMemoryTest, I2_OneThatCannotBeReadIsAnErrorThatNamesIt) {
    std::filesystem::create_directory(state + "/channels");
    for (const auto* text :
         {"", "{", "[]", "{}", R"({"moved":{},"offset":"x"})", R"({"moved":7})", R"({"moved":{"-5":7}})"}) {
        std::ofstream{state + "/channels/phone.json"} << text;
        const auto memory = open();
        ASSERT_FALSE(memory) << text;
        EXPECT_EQ(memory.error().code, Errc::damaged);
        EXPECT_NE(memory.error().detail.find("phone.json"), std::string::npos);
    }
}

}  // namespace
}  // namespace countersign::app
