// SPDX-License-Identifier: Apache-2.0
#include "security/directory_chain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

namespace countersign::security {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DirectoryChain : public testing::Test {
protected:
    DirectoryChain() {
        std::string name = testing::TempDir() + "chain-XXXXXX";
        root = ::mkdtemp(name.data());
        fs::create_directories(root / "a" / "b");
    }
    ~DirectoryChain() override { fs::remove_all(root); }
    static void set_mode(const fs::path& path, mode_t mode) { ASSERT_EQ(::chmod(path.c_str(), mode), 0); }
    static std::string said(const Result<void>& result) { return result ? "" : result.error().detail; }

    fs::path root;
};

TEST_F(DirectoryChain, OurOwnAndRootsDirectoriesAreAccepted) {
    EXPECT_EQ(said(check_directory_chain(root / "a" / "b")), "") << "also below /tmp, which has its sticky bit";
    EXPECT_EQ(said(check_directory_chain("/")), "");
    EXPECT_EQ(said(check_directory_chain(root / "none" / "there")), "");
    EXPECT_EQ(said(check_directory_of(root / "a" / "file")), "");
}

TEST_F(DirectoryChain, I2_ADirectoryThatEveryUserMayWriteIsRefusedAnywhereOnTheWay) {
    for (const auto& open : {root / "a", root / "a" / "b"}) {
        set_mode(open, 0757);
        EXPECT_EQ(said(check_directory_chain(root / "a" / "b")),
                  open.string() + " can be written by every user, who can replace what is in it: run chmod o-w " +
                      open.string() + ", or use another directory");
        set_mode(open, 01777);
        EXPECT_EQ(said(check_directory_chain(root / "a" / "b")), "") << "the sticky bit keeps others out";
        set_mode(open, 0755);
    }
}

TEST_F(DirectoryChain, I2_TheFilesOwnDirectoryMustNotBeGroupWritable) {
    set_mode(root / "a", 0775);
    EXPECT_THAT(said(check_directory_of(root / "a" / "file")), HasSubstr("run chmod g-w " + (root / "a").string()));
    EXPECT_EQ(said(check_directory_of(root / "a" / "b" / "file")), "");
}

TEST_F(DirectoryChain, I2_TheDirectoriesBehindALinkAreCheckedToo) {
    fs::create_directory(root / "open");
    fs::create_directory(root / "open" / "below");
    fs::create_directory_symlink(root / "open" / "below", root / "a" / "link");
    fs::create_directory_symlink("../link", root / "a" / "b" / "relative");
    EXPECT_EQ(said(check_directory_chain(root / "a" / "b" / "relative")), "");
    set_mode(root / "open", 0777);
    for (const auto& path :
         {root / "a" / "link", root / "a" / "b" / "relative", root / "a" / "link" / ".." / "below"}) {
        EXPECT_THAT(said(check_directory_chain(path)), HasSubstr((root / "open").string() + " can be written")) << path;
    }
}

// For a file behind a link, the directories that the link passes through decide who can replace it.
TEST_F(DirectoryChain, I2_TheDirectoriesBehindALinkToAFileAreLookedAt) {
    fs::create_directories(root / "open" / "below");
    std::ofstream{root / "open" / "below" / "file"} << "text";
    fs::create_symlink(root / "open" / "below" / "file", root / "a" / "absolute");
    fs::create_symlink("../open/below/file", root / "a" / "relative");
    fs::create_symlink("absolute", root / "a" / "hop");
    fs::create_directory_symlink("../../open", root / "a" / "b" / "middle");
    fs::create_symlink("b/middle/below/../below/file", root / "a" / "through");
    fs::create_symlink("../open/below/none", root / "a" / "dangling");
    const auto links = {root / "a" / "absolute", root / "a" / "relative",
                        root / "a" / "hop",      root / "a" / "b" / "middle" / "below" / ".." / "below" / "file",
                        root / "a" / "through",  root / "a" / "dangling"};
    for (const auto& path : links) EXPECT_EQ(said(check_directory_of(path)), "") << path;
    for (const auto& open : {root / "open", root / "open" / "below"}) {
        set_mode(open, 0757);
        for (const auto& path : links) {
            EXPECT_THAT(said(check_directory_of(path)), HasSubstr(open.string() + " can be written by every user"))
                << path;
        }
        set_mode(open, 0755);
    }
    set_mode(root / "open" / "below", 0775);
    for (const auto& path : links) {
        EXPECT_THAT(said(check_directory_of(path)),
                    HasSubstr((root / "open" / "below").string() + " can be written by its group"))
            << path;
    }
    set_mode(root / "open" / "below", 0755);
    set_mode(root / "a", 0775);
    EXPECT_THAT(said(check_directory_of(root / "a" / "hop")), HasSubstr("a can be written by its group"))
        << "who may write it may replace the link";
}

TEST_F(DirectoryChain, I2_AFileInAnotherUsersDirectoryIsRefusedBehindALink) {
    if (::geteuid() != 0) return;  // only root can give files away
    fs::create_directories(root / "theirs" / "below");
    std::ofstream{root / "theirs" / "below" / "file"} << "text";
    fs::create_symlink("../theirs/below/file", root / "a" / "link");
    fs::create_symlink("link", root / "a" / "hop");
    EXPECT_EQ(said(check_directory_of(root / "a" / "hop")), "");
    ASSERT_EQ(::chown((root / "theirs").c_str(), 65534, 65534), 0);
    EXPECT_THAT(said(check_directory_of(root / "a" / "hop")), HasSubstr("theirs belongs to uid 65534"));
    ASSERT_EQ(::chown((root / "theirs").c_str(), 0, 0), 0);
    ASSERT_EQ(::lchown((root / "a" / "link").c_str(), 65534, 65534), 0);
    EXPECT_THAT(said(check_directory_of(root / "a" / "hop")), HasSubstr("link belongs to uid 65534"));
}

TEST_F(DirectoryChain, I13_OneLinkTooManyIsRefused) {
    constexpr int links_max = 40;
    std::ofstream{root / "a" / "0"} << "text";
    for (int at = 1; at <= links_max + 1; ++at) {
        fs::create_symlink(std::to_string(at - 1), root / "a" / std::to_string(at));
    }
    EXPECT_EQ(said(check_directory_of(root / "a" / std::to_string(links_max))), "");
    EXPECT_THAT(said(check_directory_of(root / "a" / std::to_string(links_max + 1))), HasSubstr("leads nowhere"));
}

TEST_F(DirectoryChain, I13_ACircleOfLinksIsRefused) {
    fs::create_directory_symlink("two", root / "one");
    fs::create_directory_symlink("one", root / "two");
    EXPECT_THAT(said(check_directory_chain(root / "one")), HasSubstr("leads nowhere"));
}

TEST_F(DirectoryChain, I2_AnotherUsersDirectoryOrLinkIsRefused) {
    EXPECT_THAT(said(check_directory_chain("/", 1)), "") << "root's is fine for everybody";
    struct stat status{};
    ASSERT_EQ(::stat(root.c_str(), &status), 0);
    if (status.st_uid != 0) {
        EXPECT_THAT(said(check_directory_chain(root, status.st_uid + 1)), HasSubstr("belongs to uid"));
        return;
    }
    ASSERT_EQ(::chown((root / "a").c_str(), 65534, 65534), 0);
    EXPECT_THAT(said(check_directory_chain(root / "a" / "b")), HasSubstr("belongs to uid 65534"));
    EXPECT_EQ(said(check_directory_chain(root / "a" / "b", 65534)), "");
    ASSERT_EQ(::chown((root / "a").c_str(), 0, 0), 0);
    fs::create_directory_symlink(root / "a", root / "planted");
    ASSERT_EQ(::lchown((root / "planted").c_str(), 65534, 65534), 0);
    EXPECT_THAT(said(check_directory_chain(root / "planted" / "b")), HasSubstr("planted belongs to uid 65534"));
}

}  // namespace
}  // namespace countersign::security
