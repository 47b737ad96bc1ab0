// SPDX-License-Identifier: Apache-2.0
// The demo as a new user starts it, and I1 as the kernel sees it.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <sys/stat.h>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::run;
using testing_tools::TemporaryDirectory;

struct Demo {
    TemporaryDirectory directory;  // the demo creates its own directory inside it
    testing_tools::Ran ran;

    explicit Demo(const std::string& answer, std::vector<std::string> before = {}) {
        auto argv = std::move(before);
        argv.insert(argv.end(), {countersign_path(), "demo", "--once", "--answer", answer});
        ran = run({.argv = argv, .environment = {"TMPDIR=" + directory.path()}});
    }
    [[nodiscard]] fs::path root() const {
        for (const auto& entry : fs::directory_iterator{directory.path()}) {
            if (entry.path().filename().string().starts_with("countersign-demo-")) return entry.path();
        }
        return {};
    }
    [[nodiscard]] std::string state() const { return (root() / "state").string(); }
    [[nodiscard]] std::string records() const {
        return testing_tools::countersign({"audit", "tail", "--json", "-n", "1000", "--state", state()}).out;
    }
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(DemoCommand, UnattendedAllowRunsEverythingAndProvesIt) {
    const Demo demo{"allow"};
    ASSERT_EQ(demo.ran.exit_code, 0) << demo.ran.err << demo.ran.out;
    EXPECT_THAT(demo.ran.out, HasSubstr("ran ls: README.md build src"));
    EXPECT_FALSE(fs::exists(demo.root() / "project/build")) << "rm -rf build really ran";
    EXPECT_THAT(contents((demo.root() / "project/src/price.py").string()), HasSubstr("1.19"));
    EXPECT_THAT(demo.ran.out, HasSubstr("will use SQLite"));
    const auto records = demo.records();
    EXPECT_EQ(count(records, "\"kind\":\"request\""), 5U);
    EXPECT_EQ(count(records, "\"kind\":\"decision\""), 5U);
    EXPECT_EQ(count(records, "\"kind\":\"forwarded\""), 5U);
    EXPECT_EQ(count(records, "\"decidedBy\":\"demo:unattended\""), 5U);
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", demo.state()}).exit_code, 0);
}

TEST(DemoCommand, UnattendedDenyRunsNothing) {
    const Demo demo{"deny"};
    ASSERT_EQ(demo.ran.exit_code, 0) << demo.ran.err;
    EXPECT_TRUE(fs::exists(demo.root() / "project/build/shop.o"));
    EXPECT_THAT(demo.ran.out, HasSubstr("did not run rm -rf build (denied"));
    EXPECT_THAT(demo.ran.out, HasSubstr("got no answer (cancelled)"));
}

TEST(DemoCommand, I6_TheTokenOfTheCurlCallIsNowhere) {
    const Demo demo{"allow"};
    const std::string token = "0123456789abcdefghijABCDEFGHIJ012345";
    EXPECT_THAT(demo.ran.out, Not(HasSubstr(token)));
    EXPECT_THAT(demo.ran.out, HasSubstr("«redacted:"));
    for (const auto& entry : fs::recursive_directory_iterator{demo.root()}) {
        if (entry.is_regular_file())
            EXPECT_THAT(contents(entry.path().string()), Not(HasSubstr(token))) << entry.path();
    }
}

TEST(DemoCommand, TheDirectoryAndTheKeysAreOnlyForTheOwner) {
    const Demo demo{"allow"};
    for (const auto& path : {demo.root(), fs::path{demo.state()}, fs::path{demo.state()} / "keys"}) {
        EXPECT_EQ(fs::status(path).permissions() & fs::perms::mask, fs::perms::owner_all) << path;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator{demo.state() + "/keys"}, {}), 4);
    for (const auto& key : fs::directory_iterator{demo.state() + "/keys"}) {
        EXPECT_EQ(key.status().permissions() & fs::perms::mask, fs::perms::owner_read | fs::perms::owner_write)
            << key.path();
    }
}

// Finds the text after position `after`, which is then moved past it.
bool comes_next(const std::string& said, const std::string& text, std::size_t& after) {
    const auto found = said.find(text, after);
    if (found == std::string::npos) return false;
    after = found + text.size();
    return true;
}

TEST(DemoCommand, APersonReadsTheRequestTheDecisionItsRecordsAndThenTheAgentsAction) {
    const Demo demo{"allow"};
    std::size_t at = 0;
    for (const auto* did : {"ran ls", "ran rm -rf build", "ran the edit", "ran curl", "will use SQLite"}) {
        const auto begin = at;
        for (const std::string text : {" ==\n", "\nAllowed ", "  request  ", "  decision  ", "\nagent | "}) {
            const bool answered = text == "\nAllowed " && std::string{did} == "will use SQLite";
            EXPECT_TRUE(comes_next(demo.ran.out, answered ? "\nAnswered " : text, at)) << text << "before " << did;
        }
        EXPECT_TRUE(demo.ran.out.substr(at).starts_with(did)) << demo.ran.out.substr(begin);
        EXPECT_EQ(count(demo.ran.out.substr(begin, at - begin), "  log  "), 2U) << "nothing else between them";
    }
}

TEST(DemoCommand, TheHintsAtTheEndWorkWhenTheyArePasted) {
    const TemporaryDirectory directory;
    const auto odd = directory.path() + "/it's a place";
    ASSERT_TRUE(fs::create_directory(odd));
    const auto ran =
        run({.argv = {countersign_path(), "demo", "--once", "--answer", "deny"}, .environment = {"TMPDIR=" + odd}});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    std::istringstream hints{ran.out.substr(ran.out.find("all intact"))};
    int pasted = 0;
    for (std::string line; std::getline(hints, line);) {
        if (!line.starts_with("  ")) continue;
        const auto shell = run({.argv = {"sh", "-c", line}, .directory = "/"});
        EXPECT_EQ(shell.exit_code, 0) << line << shell.err;
        ++pasted;
    }
    EXPECT_EQ(pasted, 4);
    EXPECT_TRUE(fs::is_empty(odd)) << "the last one removes everything";
}

TEST(DemoCommand, ItsHintsUseTheShortNameIfThePathFindsIt) {
    const TemporaryDirectory directory;
    fs::create_symlink(countersign_path(), directory.path() + "/countersign");
    const auto path = "PATH=" + directory.path() + ":/usr/bin:/bin";
    const auto ran = run({.argv = {"env", path, countersign_path(), "demo", "--once", "--answer", "deny"},
                          .environment = {"TMPDIR=" + directory.path()}});
    EXPECT_THAT(ran.out, HasSubstr("\n  countersign audit verify --state "));
}

// The system calls of one run, in order, as the kernel saw them.
std::vector<std::string> traced(const std::string& calls, const std::string& answer) {
    const TemporaryDirectory directory;
    const auto file = directory.path() + "/trace";
    const Demo demo{answer, {"strace", "-f", "-s", "8192", "-e", "trace=" + calls, "-o", file}};
    EXPECT_EQ(demo.ran.exit_code, 0) << demo.ran.err;
    std::vector<std::string> lines;
    std::istringstream text{contents(file)};
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

// The approvalId of a line that passes an answer to the agent, or empty.
std::string answered_id(const std::string& line) {
    if (line.find("resolvedApprovals") == std::string::npos && line.find("resolvedQuestions") == std::string::npos)
        return {};
    if (line.find("write") == std::string::npos || line.find("read(") != std::string::npos) return {};
    const std::string member = "\\\"approvalId\\\":\\\"";
    const auto at = line.find(member);
    return at == std::string::npos ? std::string{} : line.substr(at + member.size(), 26);
}

TEST(DemoCommand, I1_TheSyncOfTheRecordReturnsBeforeTheFirstByteGoesToTheAgent) {
    std::string written;                         // records that a write call has passed to the kernel
    std::string synced;                          // records written before the start of an fdatasync that returned 0
    std::map<std::string, std::string> syncing;  // by thread: the records written when its fdatasync started
    int answers = 0;
    for (const auto& line : traced("pwrite64,write,writev,sendmsg,fdatasync,fsync", "allow")) {
        const auto thread = line.substr(0, line.find(' '));
        if (line.find("fdatasync(") != std::string::npos) syncing[thread] = written;
        if (line.find("fdatasync") != std::string::npos && line.ends_with("= 0")) synced = syncing[thread];
        if (line.find("pwrite64(") != std::string::npos) written += line;
        const auto id = answered_id(line);
        if (id.empty()) continue;
        ++answers;
        const auto decision = synced.find("\\\"kind\\\":\\\"decision\\\"");
        ASSERT_NE(decision, std::string::npos) << "answered before any decision was on disk: " << line;
        bool on_disk = false;
        for (auto at = decision; at != std::string::npos; at = synced.find("\\\"kind\\\":\\\"decision\\\"", at + 1)) {
            const auto end = synced.find("\\n", at);
            on_disk = on_disk || synced.substr(at, end - at).find(id) != std::string::npos;
        }
        EXPECT_TRUE(on_disk) << "answered before its record was on disk: " << id;
    }
    EXPECT_EQ(answers, 5);
}

TEST(DemoCommand, NoPortIsOpened) {
    for (const auto& line : traced("bind,listen,connect", "allow")) {
        EXPECT_THAT(line, Not(HasSubstr("AF_INET"))) << "the demo needs no network";
        EXPECT_THAT(line, Not(HasSubstr("listen(")));
    }
}

// Every fdatasync from the N-th on fails: for any N, no allow reaches the agent after it.
class DemoWithFailingDisk : public testing::TestWithParam<int> {};

TEST_P(DemoWithFailingDisk, I1_NothingRunsThatIsNotOnDisk) {
    const auto inject = "inject=fdatasync:error=EIO:when=" + std::to_string(GetParam()) + "+";
    const Demo demo{"allow", {"strace", "-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", inject}};
    const auto said = demo.ran.out + demo.ran.err;
    const auto ran = count(said, "agent | ran ");
    const auto verified =
        testing_tools::countersign({"audit", "tail", "--json", "-n", "1000", "--state", demo.state()});
    EXPECT_LE(ran, count(verified.out, "\"decision\":\"allowed\"")) << said;
    EXPECT_THAT(said, HasSubstr("unavailable")) << said;
    EXPECT_NE(demo.ran.exit_code, 0);
}
INSTANTIATE_TEST_SUITE_P(FromTheNthOn, DemoWithFailingDisk, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 10, 12));

// Sandboxes that are older than statx refuse it.
TEST(DemoCommand, WithoutStatxTheLogIsStillWritten) {
    const auto* inject = "inject=statx:error=EPERM";
    const Demo demo{"allow", {"strace", "-f", "-o", "/dev/null", "-e", "trace=statx", "-e", inject}};
    EXPECT_EQ(demo.ran.exit_code, 0) << demo.ran.err;
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", demo.state()}).exit_code, 0);
}

// The kernel's random numbers fail from the N-th call on: in our library, in our own ids, or in the agent.
class DemoWithoutRandomNumbers : public testing::TestWithParam<int> {};

TEST_P(DemoWithoutRandomNumbers, ItSaysThatRandomNumbersFailed) {
    const auto inject = "inject=getrandom:error=EIO:when=" + std::to_string(GetParam()) + "+";
    const Demo demo{"allow", {"strace", "-f", "-o", "/dev/null", "-e", "trace=getrandom", "-e", inject}};
    EXPECT_NE(demo.ran.exit_code, 0);
    EXPECT_THAT(demo.ran.err, HasSubstr("the kernel gives no random numbers"));
    EXPECT_THAT(demo.ran.err, HasSubstr("Input/output error"));
}
INSTANTIATE_TEST_SUITE_P(FromTheNthOn, DemoWithoutRandomNumbers, testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace countersign
