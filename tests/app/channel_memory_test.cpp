// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

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
    std::string state;
};

TEST_F(ChannelMemoryTest, I5_UpdatesThatChangedSomethingAreKnownAfterARestart) {
    auto memory = ChannelMemory::open(state, "phone");
    ASSERT_TRUE(memory);
    EXPECT_FALSE(memory->offset());
    memory->confirm(12);
    ASSERT_TRUE(memory->handle(11));
    ASSERT_TRUE(memory->move("-5", "-1005"));
    const auto again = ChannelMemory::open(state, "phone");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->offset(), 12);
    EXPECT_EQ(again->handled(), (std::deque<std::int64_t>{11}));
    EXPECT_EQ(again->moved().at("-5"), "-1005");
    EXPECT_TRUE(ChannelMemory::open(state, "other")->handled().empty()) << "each channel has its own";
}

TEST_F(ChannelMemoryTest, I13_OnePastTheBoundTheOldestIsForgotten) {
    auto memory = ChannelMemory::open(state, "phone");
    ASSERT_TRUE(memory);
    std::filesystem::remove_all(state + "/channels");
    for (std::size_t i = 0; i <= limits::handled_updates_max; ++i) {
        EXPECT_FALSE(memory->handle(static_cast<std::int64_t>(i))) << "it could not be kept, and that is said";
    }
    EXPECT_EQ(memory->handled().size(), limits::handled_updates_max);
    EXPECT_EQ(memory->handled().front(), 1);
}

TEST_F(ChannelMemoryTest, I2_OneThatCannotBeReadIsAnErrorThatNamesIt) {
    std::filesystem::create_directory(state + "/channels");
    for (const auto* text : {"", "{", "[]", "{}", R"({"handled":["x"],"moved":{}})", R"({"handled":[],"moved":7})",
                             R"({"handled":[],"moved":{"-5":7}})"}) {
        std::ofstream{state + "/channels/phone.json"} << text;
        const auto memory = ChannelMemory::open(state, "phone");
        ASSERT_FALSE(memory) << text;
        EXPECT_EQ(memory.error().code, Errc::damaged);
        EXPECT_NE(memory.error().detail.find("phone.json"), std::string::npos);
    }
}

}  // namespace
}  // namespace countersign::app
