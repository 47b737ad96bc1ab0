// SPDX-License-Identifier: Apache-2.0
#include "runtimes/workplace.hpp"

#include "core/limits.hpp"
#include "tests/net/scratch_directory.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace countersign::runtimes {
namespace {

namespace fs = std::filesystem;

const std::string commit = "0123456789abcdef0123456789abcdef01234567";

TEST(WorkplaceReaders, ABranchIsReadFromHead) {
    EXPECT_EQ(branch_in("ref: refs/heads/main\n"), "main");
    EXPECT_EQ(branch_in("ref: refs/heads/feature/a b"), "feature/a b");
    EXPECT_EQ(branch_in("ref:refs/heads/x\r\n"), "x");
    EXPECT_EQ(branch_in("ref: refs/remotes/origin/x\n"), "refs/remotes/origin/x");
    EXPECT_EQ(branch_in(commit + "\n"), "HEAD 0123456789ab");
    EXPECT_EQ(branch_in(std::string(64, 'a')), "HEAD aaaaaaaaaaaa");
    for (const auto& none : {std::string{}, std::string{"\n"}, std::string{"ref:"}, std::string{"ref: refs/heads/"},
                             std::string{"root:x:0:0"}, commit.substr(1), std::string(40, 'G'), std::string(41, 'a')}) {
        EXPECT_EQ(branch_in(none), std::nullopt) << none;
    }
}

TEST(WorkplaceReaders, TheOriginIsReadFromTheConfiguration) {
    EXPECT_EQ(origin_in("[core]\n\tbare = false\n[remote \"origin\"]\n\tfetch = +a:b\n\turl = https://h.example/a/b\n"),
              "https://h.example/a/b");
    EXPECT_EQ(origin_in("[remote \"origin\"]\nURL=\"git@h.example:a/b\"\n"), "git@h.example:a/b");
    EXPECT_EQ(origin_in("[remote \"origin\"]\nurl = one\nurl = two\n"), "one") << "git fetches from the first";
    EXPECT_EQ(origin_in("[remote \"fork\"]\nurl = other\n[remote \"origin\"]\nurl = mine"), "mine");
    for (const auto* none : {"", "[remote \"origin\"]", "[remote \"fork\"]\nurl = x\n", "url = x\n",
                             "[remote \"origin\"]\nurl =\n", "[remote \"origin\"]\n[branch \"x\"]\nurl = x\n"}) {
        EXPECT_EQ(origin_in(none), std::nullopt) << none;
    }
}

TEST(WorkplaceReaders, ARepositoryIsNamedByItsHostAndPathWithoutAPassword) {
    for (const auto* url : {"https://github.example/acme/shop.git", "https://alice:hunter2@github.example/acme/shop",
                            "git@github.example:acme/shop.git", "ssh://git@github.example/acme/shop/",
                            "https://a:b@c@github.example/acme/shop?token=x#y", "git@github.example:/acme/shop.git"}) {
        EXPECT_EQ(repository_of(url), "github.example/acme/shop") << url;
    }
    EXPECT_EQ(repository_of("https://x.example/a:b@y.example/shop"), "x.example/y.example/shop");
    for (const auto* none : {"", "/srv/git/shop.git", "../shop", "C:/git/shop", "file:///srv/shop", "https://h.example",
                             "https:///x", "git@h.example:", "./a:b"}) {
        EXPECT_EQ(repository_of(none), "") << none;
    }
}

class WorkplaceTest : public ::testing::Test {
protected:
    void make(const std::string& path) const { fs::create_directories(top() + "/" + path); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories(fs::path{top() + "/" + path}.parent_path());
        EXPECT_FALSE(scratch.file(path, text).empty());
    }
    void repository(const std::string& at) const {
        write(at + "/.git/HEAD", "ref: refs/heads/main\n");
        write(at + "/.git/config", "[remote \"origin\"]\n\turl = https://u:p@git.example/acme/shop.git\n");
    }
    static Workplace workplace_of(const std::string& directory, const std::string& host,
                                  const security::Redactor& redactor) {
        return shown_workplace(read_workplace(directory, host), redactor);
    }
    [[nodiscard]] Workplace of(const std::string& path) const {
        return workplace_of(top() + "/" + path, "build-7", test_redactor());
    }
    [[nodiscard]] const std::string& top() const { return scratch.path(); }

    testing_tools::ScratchDirectory scratch;
    const Workplace shop{.host = "build-7", .repository = "git.example/acme/shop", .branch = "main"};
    const Workplace nowhere{.host = "build-7", .repository = {}, .branch = {}};
};

TEST_F(WorkplaceTest, ADirectoryBelowTheRepositoryBelongsToIt) {
    repository("shop");
    make("shop/src/deep");
    EXPECT_EQ(of("shop"), shop);
    EXPECT_EQ(of("shop/"), shop);
    EXPECT_EQ(of("shop/src/deep"), shop);
    EXPECT_EQ(of("shop/not/there"), shop) << "it may be made by the call";
}

TEST_F(WorkplaceTest, WithoutARepositoryOnlyTheMachineIsKnown) {
    make("plain");
    EXPECT_EQ(of("plain"), nowhere);
    EXPECT_EQ(workplace_of("", "build-7", test_redactor()), nowhere);
    EXPECT_EQ(workplace_of("relative/shop", "build-7", test_redactor()), nowhere);
    EXPECT_EQ(workplace_of("/", "", test_redactor()), Workplace{});
    EXPECT_EQ(workplace_of(std::string(limits::cwd_bytes_max + 1, '/'), "build-7", test_redactor()), nowhere);
}

TEST_F(WorkplaceTest, AWorktreeHasItsOwnBranchOfTheSameRepository) {
    repository("shop");
    write("shop/.git/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
    write("shop/.git/worktrees/fix/commondir", "../..\n");
    write("fix/.git", "gitdir: " + top() + "/shop/.git/worktrees/fix\n");
    EXPECT_EQ(of("fix"), (Workplace{"build-7", "git.example/acme/shop", "fix"}));
}

TEST_F(WorkplaceTest, ASubmoduleIsItsOwnRepository) {
    repository("shop");
    write("shop/.git/modules/lib/HEAD", commit);
    write("shop/.git/modules/lib/config", "[remote \"origin\"]\nurl = git@git.example:acme/lib\n");
    write("shop/lib/.git", "gitdir: ../.git/modules/lib");
    EXPECT_EQ(of("shop/lib"), (Workplace{"build-7", "git.example/acme/lib", "HEAD 0123456789ab"}));
}

TEST_F(WorkplaceTest, WithoutAnOriginTheRepositoryIsNamedByItsDirectory) {
    write("toy/.git/HEAD", "ref: refs/heads/main\n");
    EXPECT_EQ(of("toy"), (Workplace{"build-7", "toy", "main"}));
    write("toy/.git/config", "[remote \"origin\"]\nurl = /srv/git/toy.git\n");
    EXPECT_EQ(of("toy").repository, "toy");
}

// An agent can write all of these files.
TEST_F(WorkplaceTest, HostileNamesAreShownEscaped) {
    write("shop/.git/HEAD", "ref: refs/heads/ma\u202Ein\x1b[2J\n");
    write("shop/.git/config", "[remote \"origin\"]\nurl = https://git.example/a\u200Bcme/shop\n");
    const auto found = workplace_of(top() + "/shop", "build\n7", test_redactor());
    EXPECT_EQ(found.host.find('\n'), std::string::npos);
    EXPECT_EQ(found.branch, "ma\\u{202E}in\\u{1B}[2J");
    EXPECT_EQ(found.repository, "git.example/a\\u{200B}cme/shop");
}

TEST_F(WorkplaceTest, I6_ASecretInANameIsNotShown) {
    write("shop/.git/HEAD", "ref: refs/heads/" + canary + "\n");
    write("shop/.git/config", "[remote \"origin\"]\nurl = https://git.example/acme/" + canary + "\n");
    const auto found = workplace_of(top() + "/shop", canary, test_redactor());
    for (const auto& text : {found.host, found.branch, found.repository}) {
        EXPECT_FALSE(text.empty());
        EXPECT_EQ(text.find(canary), std::string::npos) << text;
    }
}

TEST_F(WorkplaceTest, OnlyRegularFilesAreRead) {
    repository("shop");
    write("secret", "ref: refs/heads/stolen\n");
    make("linked/.git");
    fs::create_symlink(top() + "/secret", top() + "/linked/.git/HEAD");
    EXPECT_EQ(of("linked"), nowhere);
    make("piped/.git");
    ASSERT_EQ(::mkfifo((top() + "/piped/.git/HEAD").c_str(), 0600), 0);
    EXPECT_EQ(of("piped"), nowhere) << "and nobody waits for a writer";
    make("folder/.git/HEAD");
    EXPECT_EQ(of("folder"), nowhere);
    write("odd/.git", "gitdir: /proc/self/fd\n");
    EXPECT_EQ(of("odd"), nowhere);
    make("elsewhere");
    fs::create_symlink(top() + "/shop/.git", top() + "/elsewhere/.git");
    EXPECT_EQ(of("elsewhere"), nowhere);
}

TEST_F(WorkplaceTest, I13_AFileOfOneByteTooManyIsNotRead) {
    const std::string head = "ref: refs/heads/main\n";
    write("shop/.git/HEAD", head + std::string(limits::workplace_file_bytes_max - head.size(), '\n'));
    EXPECT_EQ(of("shop").branch, "main");
    write("shop/.git/HEAD", head + std::string(limits::workplace_file_bytes_max + 1 - head.size(), '\n'));
    EXPECT_EQ(of("shop"), nowhere);
}

TEST_F(WorkplaceTest, I13_ANameIsCutAtItsBound) {
    const std::string longest(limits::workplace_text_bytes_max, 'b');
    write("shop/.git/HEAD", "ref: refs/heads/" + longest);
    EXPECT_EQ(of("shop").branch, longest);
    write("shop/.git/HEAD", "ref: refs/heads/" + longest + "b");
    EXPECT_EQ(of("shop").branch.size(), limits::workplace_text_bytes_max);
    EXPECT_TRUE(of("shop").branch.ends_with("b…"));
}

TEST_F(WorkplaceTest, I13_TheSearchForTheRepositoryIsBounded) {
    repository("shop");
    std::string deep = "shop";
    for (std::size_t at = 1; at < limits::workplace_depth_max; ++at) deep += "/d";
    EXPECT_EQ(of(deep), shop);
    EXPECT_EQ(of(deep + "/d"), nowhere);
}

}  // namespace
}  // namespace countersign::runtimes
