// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

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

TEST_F(ChannelMemoryTest, I12_AStoredValueIsThereAfterARestart) {
    auto memory = open();
    ASSERT_TRUE(memory);
    EXPECT_TRUE(memory->values().empty());
    memory->keep("moved -5", "-1005");
    memory->keep("offset", "12");
    ASSERT_TRUE(memory->flush());
    const auto again = open();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->values().at("offset"), "12");
    EXPECT_EQ(again->values().at("moved -5"), "-1005");
    EXPECT_TRUE(open("other")->values().empty()) << "each channel has its own";
}

TEST_F(ChannelMemoryTest, I11_AnUnwrittenValueIsWrittenAtTheEnd) {
    {
        auto memory = open();
        for (int offset = 1; offset <= 100; ++offset) memory->keep("offset", std::to_string(offset));
    }
    EXPECT_EQ(open()->values().at("offset"), "100");
}

TEST_F(ChannelMemoryTest, I13_OneValueTooManyIsRefused) {
    auto memory = open();
    ASSERT_TRUE(memory);
    for (std::size_t i = 0; i < limits::channel_memory_values_max; ++i) memory->keep(std::to_string(i), "-1");
    EXPECT_EQ(failures, 0);
    memory->keep("one more", "-1");
    EXPECT_EQ(failures, 1);
    EXPECT_FALSE(memory->values().contains("one more"));
    memory->keep("0", "-2");
    EXPECT_EQ(memory->values().at("0"), "-2") << "one that is known may change";
}

TEST_F(ChannelMemoryTest, I13_AValueThatIsTooLongIsRefused) {
    auto memory = open();
    ASSERT_TRUE(memory);
    memory->keep("a", std::string(limits::channel_memory_value_bytes_max - 1, 'x'));
    EXPECT_EQ(failures, 0);
    memory->keep("a", std::string(limits::channel_memory_value_bytes_max, 'y'));
    EXPECT_EQ(failures, 1);
    EXPECT_EQ(memory->values().at("a")[0], 'x') << "the old one stays";
}

TEST_F(ChannelMemoryTest, I11_AFailedWriteIsReported) {
    auto memory = open();
    ASSERT_TRUE(memory);
    std::filesystem::remove_all(state + "/channels");
    memory->keep("offset", "7");
    ASSERT_TRUE(memory->flush());
    EXPECT_EQ(failures, 1);
}

TEST_F(ChannelMemoryTest, I2_AnUnreadableFileIsAnErrorThatNamesIt) {
    std::filesystem::create_directory(state + "/channels");
    for (const auto* text : {"", "{", "[]", R"({"offset":7})", R"({"moved":{"-5":"-6"}})"}) {
        std::ofstream{state + "/channels/phone.json"} << text;
        const auto memory = open();
        ASSERT_FALSE(memory) << text;
        EXPECT_EQ(memory.error().code, Errc::damaged);
        EXPECT_NE(memory.error().detail.find("phone.json"), std::string::npos);
    }
}

}  // namespace
}  // namespace countersign::app
