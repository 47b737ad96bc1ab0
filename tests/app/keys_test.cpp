// SPDX-License-Identifier: Apache-2.0
#include "app/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <sys/stat.h>

namespace countersign::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KeysTest : public testing::Test {
protected:
    KeysTest() {
        std::string name = testing::TempDir() + "keys-XXXXXX";
        state = ::mkdtemp(name.data());
    }
    ~KeysTest() override { fs::remove_all(state); }
    std::string state;
};

TEST_F(KeysTest, AreCreatedOnceInTheirOwnDirectory) {
    ASSERT_TRUE(load_keys(state));
    struct stat status{};
    ASSERT_EQ(::stat((state + "/keys").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0700U);
    EXPECT_TRUE(load_keys(state));
    EXPECT_TRUE(load_log_key(state));
}

TEST_F(KeysTest, I2_ALinkInPlaceOfTheirDirectoryIsRefused) {
    ASSERT_TRUE(load_keys(state));
    fs::rename(state + "/keys", state + "/elsewhere");
    fs::create_directory_symlink("elsewhere", state + "/keys");
    const auto keys = load_keys(state);
    ASSERT_FALSE(keys);
    EXPECT_EQ(keys.error().code, Errc::bad_config);
    EXPECT_THAT(keys.error().detail, HasSubstr(state + "/keys is a symbolic link"));
    EXPECT_FALSE(load_log_key(state)) << "nor for the log's own commands";
}

TEST_F(KeysTest, I2_ADirectoryThatOthersMayReadIsRefused) {
    ASSERT_TRUE(load_keys(state));
    ASSERT_EQ(::chmod((state + "/keys").c_str(), 0750), 0);
    const auto keys = load_keys(state);
    ASSERT_FALSE(keys);
    EXPECT_THAT(keys.error().detail, HasSubstr("run chmod 700 " + state + "/keys"));
}

}  // namespace
}  // namespace countersign::app
