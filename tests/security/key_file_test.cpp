// SPDX-License-Identifier: Apache-2.0
#include "security/key_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>
#include <sys/stat.h>
#include <thread>

namespace countersign::security {
namespace {

class KeyFile : public testing::Test {
protected:
    KeyFile() {
        std::string name = testing::TempDir() + "key-XXXXXX";
        folder = ::mkdtemp(name.data());
        path = folder / "button.key";
    }
    ~KeyFile() override { std::filesystem::remove_all(folder); }

    void write(std::string_view content, mode_t mode = 0600) const {
        std::ofstream{path, std::ios::binary} << content;
        ::chmod(path.c_str(), mode);
    }
    std::string content() const {
        std::ifstream file{path, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    std::filesystem::path folder;
    std::filesystem::path path;
};

const std::string written = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";

TEST_F(KeyFile, IsMadeOnceAndThenKept) {
    const auto made = load_or_create_key(path);
    ASSERT_TRUE(made) << made.error().detail;
    EXPECT_EQ(made->size(), key_bytes);
    const auto text = content();
    EXPECT_EQ(text.size(), 65U);
    EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), 64U);
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(load_or_create_key(path)->reveal(), made->reveal());
    EXPECT_EQ(load_key(path)->reveal(), made->reveal());
    EXPECT_EQ(content(), text);
}

TEST_F(KeyFile, IsReadableOnlyByItsOwnerUnderAnyUmaskAndLeavesNoOtherFile) {
    const auto before = ::umask(0);
    ASSERT_TRUE(load_or_create_key(path));
    ::umask(before);
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder}, {}), 1);
}

TEST_F(KeyFile, HasTheDocumentedFormat) {
    write(written);
    const auto key = load_key(path);
    ASSERT_TRUE(key) << key.error().detail;
    for (std::size_t i = 0; i < key_bytes; ++i) EXPECT_EQ(key->bytes()[i], i);
}

TEST_F(KeyFile, TwoKeysDiffer) {
    EXPECT_NE(load_or_create_key(folder / "one")->reveal(), load_or_create_key(folder / "two")->reveal());
}

TEST_F(KeyFile, ConcurrentCreatorsGetTheSameKey) {
    std::vector<std::string> keys(8);
    std::vector<std::thread> makers;
    for (auto& key : keys) {
        makers.emplace_back([&key, this] {
            const auto made = load_or_create_key(path);
            key = made ? std::string{made->reveal()} : made.error().detail;
        });
    }
    for (auto& maker : makers) maker.join();
    for (const auto& key : keys) EXPECT_EQ(key, keys.front());
    EXPECT_EQ(keys.front().size(), key_bytes);
}

// A process that was killed between writing its draft and finishing leaves a secret that is never used.
TEST_F(KeyFile, OnlyLeftoverDraftsAreDeleted) {
    const auto names = [this] {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator{folder}) found.insert(entry.path().filename());
        return found;
    };
    const auto leave = [&](const std::string& name) { std::ofstream{folder / name} << written; };
    const std::set<std::string> others{"button.key.new-0123456789abcde",   "button.key.new-0123456789abcdef0",
                                       "button.key.new-0123456789abcdeX",  "other.key.new-0123456789abcdef",
                                       "xbutton.key.new-0123456789abcdef", "button.key.new"};
    for (const auto& name : others) leave(name);
    leave("button.key.new-0123456789abcdef");
    leave("button.key.new-fedcba9876543210");
    std::filesystem::create_directory(folder / "button.key.new-00000000000000aa");
    auto expected = others;
    expected.insert({"button.key", "button.key.new-00000000000000aa"});
    const auto made = load_or_create_key(path);
    ASSERT_TRUE(made);
    EXPECT_EQ(names(), expected) << "where it is made";
    leave("button.key.new-0123456789abcdef");
    EXPECT_EQ(load_or_create_key(path)->reveal(), made->reveal());
    EXPECT_EQ(names(), expected) << "and where it was there";
}

TEST_F(KeyFile, I2_ADamagedKeyIsAnErrorAndNeverReplaced) {
    const auto digits = written.substr(0, 64);
    for (const auto& bad :
         {digits.substr(1) + "\n", digits + "00\n", digits.substr(0, 63) + "g\n", "x" + digits.substr(1),
          digits.substr(0, 32) + " " + digits.substr(33), std::string{"short"}}) {
        write(bad);
        const auto loaded = load_or_create_key(path);
        ASSERT_FALSE(loaded) << bad;
        EXPECT_EQ(loaded.error().code, Errc::damaged) << bad;
        EXPECT_EQ(loaded.error().detail.find(digits.substr(8, 16)), std::string::npos);
        EXPECT_EQ(content(), bad);
    }
}

TEST_F(KeyFile, I2_AnEmptyOrAllZeroKeyIsRefused) {
    for (const auto& bad : {std::string{}, std::string{"\n"}, std::string(64, '0') + "\n"}) {
        write(bad);
        EXPECT_EQ(load_or_create_key(path).error().code, Errc::missing_secret);
        EXPECT_EQ(content(), bad);
    }
}

TEST_F(KeyFile, I2_AKeyThatOthersCanReadIsRefused) {
    write(written, 0640);
    EXPECT_EQ(load_or_create_key(path).error().code, Errc::missing_secret);
}

TEST_F(KeyFile, I2_ALinkIsNeitherFollowedNorWrittenThrough) {
    std::filesystem::create_symlink(folder / "elsewhere", path);
    EXPECT_EQ(load_or_create_key(path).error().code, Errc::missing_secret);
    EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_F(KeyFile, AMissingDirectoryIsAnError) {
    EXPECT_EQ(load_or_create_key(folder / "no" / "key").error().code, Errc::unavailable);
    EXPECT_EQ(load_key(path).error().code, Errc::missing_secret);
}

}  // namespace
}  // namespace countersign::security
