// SPDX-License-Identifier: Apache-2.0
#include "audit/state_directory.hpp"

#include "audit/follower.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;

class StateDirectoryTest : public testing::Test {
protected:
    void SetUp() override {
        auto pattern = (std::filesystem::temp_directory_path() / "countersign-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        root = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(root); }
    std::string root;
};

TEST_F(StateDirectoryTest, ItIsCreatedForItsOwnerOnly) {
    const auto opened = StateDirectory::open(root + "/below/state/");
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ(opened->path(), root + "/below/state");
    struct stat status{};
    ASSERT_EQ(::stat(opened->path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0700U);
}

TEST_F(StateDirectoryTest, ADirectoryThatOthersMayReadIsRefused) {
    for (const auto mode : {0710, 0701, 0750, 0755, 0777}) {
        ASSERT_EQ(::chmod(root.c_str(), static_cast<mode_t>(mode)), 0);
        const auto opened = StateDirectory::open(root);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Errc::bad_config);
        EXPECT_THAT(opened.error().detail, HasSubstr("chmod 700 " + root));
    }
    ASSERT_EQ(::chmod(root.c_str(), 0700), 0);
    EXPECT_TRUE(StateDirectory::open(root));
}

TEST_F(StateDirectoryTest, AFileOrALinkIsRefused) {
    std::ofstream{root + "/file"} << "x";
    EXPECT_FALSE(StateDirectory::open(root + "/file"));
    std::filesystem::create_directory_symlink(root, root + "/link");
    const auto link = StateDirectory::open(root + "/link");
    EXPECT_EQ(link.error().code, Errc::bad_config);
    EXPECT_THAT(link.error().detail, HasSubstr("is a symbolic link: name the directory itself"));
}

TEST_F(StateDirectoryTest, I2_ADirectoryThatAnotherUserCouldReplaceIsRefused) {
    std::filesystem::create_directory(root + "/open");
    ASSERT_EQ(::chmod((root + "/open").c_str(), 0777), 0);
    const auto opened = StateDirectory::open(root + "/open/state");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::bad_config);
    EXPECT_THAT(opened.error().detail, HasSubstr("run chmod o-w " + root + "/open"));
    ASSERT_EQ(::chmod((root + "/open").c_str(), 01777), 0);
    EXPECT_TRUE(StateDirectory::open(root + "/open/state")) << "as /tmp is";
}

TEST_F(StateDirectoryTest, ASecondHubIsRefusedAndToldWhichProcessIsRunning) {
    auto first = StateDirectory::open(root);
    ASSERT_TRUE(first);
    const auto second = StateDirectory::open(root);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Errc::busy);
    EXPECT_THAT(second.error().detail, HasSubstr("another process, " + std::to_string(::getpid())));
    {
        const auto moved = std::move(*first);
        EXPECT_FALSE(StateDirectory::open(root)) << "moving it does not give it up";
    }
    EXPECT_TRUE(StateDirectory::open(root)) << "the end of the holder gives it up";
}

TEST_F(StateDirectoryTest, RemovingTheLockFileDoesNotAdmitASecondHub) {
    const auto first = StateDirectory::open(root);
    ASSERT_TRUE(first);
    std::filesystem::remove(root + "/lock");
    EXPECT_EQ(StateDirectory::open(root).error().code, Errc::busy);
    ASSERT_EQ(::mkfifo((root + "/lock").c_str(), 0600), 0);
    EXPECT_EQ(StateDirectory::open(root).error().code, Errc::busy) << "and a pipe in its place makes nobody wait";
}

TEST_F(StateDirectoryTest, APipeInPlaceOfALogFileDoesNotBlock) {
    std::filesystem::create_directory(root + "/audit");
    for (const auto* name : {"checkpoint", "log.vkey", "seg-000000.log"}) {
        const auto path = root + "/audit/" + name;
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
        for (const auto mode : {FileSystem::Mode::read, FileSystem::Mode::write}) {
            const auto opened = posix_file_system().open(path, mode);
            ASSERT_FALSE(opened) << name;
            EXPECT_EQ(opened.error().code, Errc::damaged);
        }
    }
    EXPECT_FALSE(verify(posix_file_system(), root + "/audit", {.key = signer().key()})->ok());
}

// A file that an attacker plants under the name of a file that we are about to write is neither written nor followed.
TEST_F(StateDirectoryTest, APlantedFileIsNotWrittenThrough) {
    auto& files = posix_file_system();
    const auto victim = root + "/victim";
    const auto planted = root + "/checkpoint.new";
    const auto content = [](const std::string& path) {
        std::ifstream file{path};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    };
    std::ofstream{victim} << "kept";

    std::filesystem::create_symlink(victim, planted);
    EXPECT_EQ(replace(files, root, "checkpoint", "new").error().code, Errc::damaged);
    std::filesystem::remove(planted);
    std::filesystem::create_symlink(root + "/nothing", planted);
    EXPECT_FALSE(replace(files, root, "checkpoint", "new"));
    EXPECT_FALSE(std::filesystem::exists(root + "/nothing"));
    std::filesystem::remove(planted);
    ASSERT_EQ(::mkfifo(planted.c_str(), 0600), 0);
    EXPECT_EQ(replace(files, root, "checkpoint", "new").error().code, Errc::damaged) << "and nobody waits";
    std::filesystem::remove(planted);
    EXPECT_FALSE(std::filesystem::exists(root + "/checkpoint"));

    std::filesystem::create_hard_link(victim, planted);
    ASSERT_TRUE(replace(files, root, "checkpoint", "new")) << "a file that an earlier process left is in nobody's way";
    EXPECT_EQ(content(root + "/checkpoint"), "new");
    EXPECT_EQ(content(victim), "kept") << "under another name it is somebody else's";
    EXPECT_FALSE(std::filesystem::exists(planted));
}

TEST_F(StateDirectoryTest, ANewFileIsReadableOnlyByItsOwner) {
    std::ofstream{root + "/a"} << "left over, and open to all";
    ASSERT_EQ(::chmod((root + "/a").c_str(), 0666), 0);
    const auto other = std::make_unique<std::ifstream>(root + "/a");
    ASSERT_TRUE(write_all(**posix_file_system().open(root + "/a", FileSystem::Mode::create), 0, "new"));
    struct stat status{};
    ASSERT_EQ(::stat((root + "/a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>{*other}, {}), "left over, and open to all")
        << "whoever held the old one open sees nothing of the new one";
}

TEST_F(StateDirectoryTest, ItNoticesThatItsPathNowNamesAnotherDirectory) {
    const auto state = StateDirectory::open(root + "/state");
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->still_there());
    std::filesystem::rename(root + "/state", root + "/moved");
    EXPECT_EQ(state->still_there().error().code, Errc::damaged);
    std::filesystem::create_directory(root + "/state");
    EXPECT_EQ(state->still_there().error().code, Errc::damaged);
    std::filesystem::remove(root + "/state");
    std::filesystem::create_directory_symlink(root + "/moved", root + "/state");
    EXPECT_EQ(state->still_there().error().code, Errc::damaged) << "a link may lead elsewhere a moment later";
    std::filesystem::remove(root + "/state");
    std::filesystem::rename(root + "/moved", root + "/state");
    EXPECT_TRUE(state->still_there());
}

TEST_F(StateDirectoryTest, ALinkInPlaceOfTheLogIsRefused) {
    std::filesystem::create_directory(root + "/elsewhere");
    std::filesystem::create_directory_symlink(root + "/elsewhere", root + "/audit");
    EXPECT_EQ(posix_file_system().make_directory(root + "/audit").error().code, Errc::damaged);
    EXPECT_TRUE(posix_file_system().make_directory(root + "/elsewhere"));
}

TEST_F(StateDirectoryTest, AChildDoesNotInheritTheLock) {
    auto holder = std::make_unique<Result<StateDirectory>>(StateDirectory::open(root));
    ASSERT_TRUE(*holder);
    int input[2];
    int started[2];
    ASSERT_EQ(::pipe2(input, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(started, O_CLOEXEC), 0);
    const auto child = ::fork();
    if (child == 0) {
        ::dup2(input[0], STDIN_FILENO);
        ::execl("/bin/cat", "cat", static_cast<char*>(nullptr));
        ::_exit(1);
    }
    // The child's end of the pipe closes when it executes another program, which then waits for its input.
    ::close(started[1]);
    char nothing = 0;
    ASSERT_EQ(::read(started[0], &nothing, 1), 0);
    holder.reset();
    EXPECT_TRUE(StateDirectory::open(root));
    ::close(started[0]);
    ::close(input[0]);
    ::close(input[1]);
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

// The same log on a real disk, through real system calls.
TEST_F(StateDirectoryTest, ALogWorksOnARealDisk) {
    const auto state = StateDirectory::open(root);
    ASSERT_TRUE(state);
    for (int run = 0; run < 2; ++run) {
        LogWorld world;  // acts as a process: after its log nothing of it runs
        auto opened = Log::open({.directory = state->audit(),
                                 .origin = origin,
                                 .key = signing_key(),
                                 .boot_id = "boot-1",
                                 .start = {},
                                 .clock = world.clock,
                                 .files = posix_file_system(),
                                 .executor = world.context().get_executor(),
                                 .segment_bytes = 4096});
        ASSERT_TRUE(opened) << describe(opened.error());
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.run((*opened)->append(entry("n", {{"i", i}}))));
        if (run == 1) ASSERT_TRUE(world.run((*opened)->close()));
    }
    const auto found = verify(posix_file_system(), state->audit(), {.key = signer().key()});
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_TRUE(found->ok()) << found->why;
    EXPECT_EQ(found->records, 43U);
    EXPECT_EQ(Follower(posix_file_system(), state->audit()).last(5)->size(), 5U);
    struct stat status{};
    ASSERT_EQ(::stat((state->audit() + "/seg-000000.log").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U);
}

}  // namespace
}  // namespace countersign::audit
