// SPDX-License-Identifier: Apache-2.0
#include "security/secret_file.hpp"

#include "core/limits.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::security {
namespace {

constexpr std::string_view good = "0123456789abcdef";  // secret_bytes_min characters

class SecretFile : public testing::Test {
protected:
    SecretFile() {
        std::string name = testing::TempDir() + "secret-XXXXXX";
        folder = ::mkdtemp(name.data());
    }
    ~SecretFile() override { std::filesystem::remove_all(folder); }

    std::filesystem::path file(std::string_view content, mode_t mode = 0600) const {
        const auto path = folder / "token";
        std::ofstream{path, std::ios::binary} << content;
        ::chmod(path.c_str(), mode);
        return path;
    }

    // The text of the refusal, which must not contain the content.
    static std::string refusal(const Result<Secret>& result, Errc code = Errc::missing_secret) {
        EXPECT_FALSE(result);
        if (result) return {};
        EXPECT_EQ(result.error().code, code);
        EXPECT_EQ(result.error().detail.find("0123456789"), std::string::npos) << "the error holds the secret";
        return result.error().detail;
    }

    std::filesystem::path folder;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_F(SecretFile, IsReadWithoutOneTrailingNewline) {
    EXPECT_EQ(read_secret(file(good))->reveal(), good);
    EXPECT_EQ(read_secret(file(std::string{good} + "\n"))->reveal(), good);
    EXPECT_EQ(read_secret(file("two words are one secret\n"))->reveal(), "two words are one secret");
}

TEST_F(SecretFile, I2_AMissingFileSaysWhereToWriteIt) {
    const auto said = refusal(read_secret(folder / "absent"));
    EXPECT_TRUE(has(said, "absent does not exist") && has(said, "chmod 600")) << said;
}

TEST_F(SecretFile, I2_AnEmptyOrBlankFileIsRefused) {
    for (const auto* content : {"", "\n", "\n\n", "                    ", "\t \r\n \v \f                "}) {
        EXPECT_TRUE(has(refusal(read_secret(file(content), {.bytes_min = 1})), "is empty")) << '"' << content << '"';
    }
}

TEST_F(SecretFile, I2_BlanksAroundASecretAreRefusedAndNotTrimmed) {
    for (const auto* content :
         {" 0123456789abcdef", "0123456789abcdef ", "0123456789abcdef\r\n", "0123456789abcdef\n\n"}) {
        EXPECT_TRUE(has(refusal(read_secret(file(content))), "blanks")) << '"' << content << '"';
    }
}

TEST_F(SecretFile, I2_OneByteTooShortIsRefused) {
    static_assert(good.size() == limits::secret_bytes_min);
    EXPECT_TRUE(has(refusal(read_secret(file(good.substr(1)))), "at least 16 bytes"));
    EXPECT_TRUE(has(refusal(read_secret(file(std::string{good.substr(1)} + '\n'))), "at least 16 bytes"));
    EXPECT_TRUE(read_secret(file(good.substr(1)), {.bytes_min = good.size() - 1}));
}

TEST_F(SecretFile, I2_OneCharacterRepeatedIsRefused) {
    EXPECT_TRUE(has(refusal(read_secret(file(std::string(32, 'x')))), "repeated"));
}

TEST_F(SecretFile, OneByteTooLargeIsRefused) {
    std::string content = "ab";
    content.resize(limits::secret_bytes_max, 'c');
    EXPECT_TRUE(read_secret(file(content)));
    refusal(read_secret(file(content + 'c')), Errc::too_large);
}

TEST_F(SecretFile, I2_AFileThatOthersCanReadOrWriteIsRefusedAndSaysChmod) {
    for (const mode_t mode : {0640U, 0620U, 0610U, 0604U, 0602U, 0601U, 0644U, 0660U, 0666U, 0440U}) {
        const auto path = file(good, mode);
        EXPECT_TRUE(has(refusal(read_secret(path)), "chmod 600 " + path.string())) << std::oct << mode;
    }
    for (const mode_t mode : {0600U, 0400U, 0700U}) EXPECT_TRUE(read_secret(file(good, mode))) << std::oct << mode;
}

TEST_F(SecretFile, I2_AnotherUsersFileIsRefused) {
    const auto path = file(good);
    const uid_t stranger = 54321;
    if (::geteuid() == 0) ASSERT_EQ(::chown(path.c_str(), stranger, 0), 0);  // only root can give a file away
    const uid_t us = ::geteuid() == 0 ? 0 : stranger;                        // without root it acts as another user
    EXPECT_TRUE(has(refusal(read_secret(path, {.owner = us})), "chown " + std::to_string(us)));
}

TEST_F(SecretFile, I2_AFileInADirectoryWhereOthersCouldReplaceItIsRefused) {
    const auto path = file(good);
    ASSERT_EQ(::chmod(folder.c_str(), 0757), 0);
    EXPECT_TRUE(has(refusal(read_secret(path)), "run chmod o-w " + folder.string()));
    ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
    EXPECT_TRUE(read_secret(path));
}

TEST_F(SecretFile, I2_ASymbolicLinkIsNotFollowed) {
    file(good);
    std::filesystem::create_symlink(folder / "token", folder / "link");
    EXPECT_TRUE(has(refusal(read_secret(folder / "link")), "symbolic link"));
}

TEST_F(SecretFile, I2_ADirectoryOrPipeIsRefusedAndDoesNotHang) {
    EXPECT_TRUE(has(refusal(read_secret(folder)), "not a regular file"));
    const auto pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(has(refusal(read_secret(pipe)), "not a regular file"));
}

TEST_F(SecretFile, ANameIsACredentialWithTheModesThatSystemdSets) {
    for (const mode_t mode : {0400U, 0440U, 0600U}) {
        file(good, mode);
        EXPECT_EQ(find_secret("token", folder)->reveal(), good) << std::oct << mode;
    }
    for (const mode_t mode : {0444U, 0460U, 0450U, 0404U}) {
        file(good, mode);
        EXPECT_TRUE(has(refusal(find_secret("token", folder)), "chmod 600")) << std::oct << mode;
    }
}

TEST_F(SecretFile, APathIsCheckedMoreStrictlyThanACredential) {
    const auto path = file(good, 0440);
    EXPECT_TRUE(has(refusal(find_secret(path.string(), folder)), "chmod 600"));
    ::chmod(path.c_str(), 0600);
    EXPECT_EQ(find_secret(path.string(), std::nullopt)->reveal(), good);
}

TEST_F(SecretFile, I2_ANameWithoutCredentialsIsRefusedAndNotLookedForInTheWorkingDirectory) {
    file(good);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    EXPECT_TRUE(has(refusal(find_secret("token", std::nullopt)), "$CREDENTIALS_DIRECTORY is not set"));
    std::filesystem::current_path(before);
    for (const auto* name : {"", ".", ".."}) refusal(find_secret(name, folder));
    refusal(find_secret("other", folder));
}

}  // namespace
}  // namespace countersign::security
