// SPDX-License-Identifier: Apache-2.0
// `audit tail` and `audit verify` on a log that a real hub wrote, and on manipulated copies of it.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::TemporaryDirectory;

class AuditCommandTest : public testing::Test {
protected:
    void SetUp() override {
        const auto ran =
            testing_tools::run({.argv = {testing_tools::countersign_path(), "demo", "--once", "--answer", "allow"},
                                .environment = {"TMPDIR=" + directory.path()}});
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        for (const auto& entry : fs::directory_iterator{directory.path()}) state = (entry.path() / "state").string();
        segment = state + "/audit/seg-000000.log";
        ASSERT_TRUE(fs::exists(segment));
    }
    testing_tools::Ran verify(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"audit", "verify", "--state", state});
        return countersign(more);
    }
    TemporaryDirectory directory;
    std::string state;
    std::string segment;
};

TEST_F(AuditCommandTest, VerifySaysWhatItProved) {
    const auto alone = verify();
    EXPECT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_THAT(alone.out, HasSubstr("self-consistent"));
    const auto with_key = verify({"--vkey", state + "/audit/log.vkey"});
    EXPECT_EQ(with_key.exit_code, 0) << with_key.err;
    EXPECT_THAT(with_key.out, HasSubstr("signed by the key you gave"));
}

TEST_F(AuditCommandTest, VerifyFailsWithAnotherKey) {
    const auto wrong =
        verify({"--vkey", "audit.example/bridge1+e15d6e25+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"});
    EXPECT_EQ(wrong.exit_code, 1);
}

TEST_F(AuditCommandTest, AnInvalidKeyIsAnErrorThatShowsAnExample) {
    const auto ran = countersign({"audit", "verify", "--state", state, "--vkey", "gar+bage"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("--vkey"));
    EXPECT_THAT(ran.err, HasSubstr("log.vkey"));
}

TEST_F(AuditCommandTest, OneChangedWordIsFound) {
    auto text = contents(segment);
    const auto at = text.find("\"decision\":\"allowed\"");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 20, "\"decision\":\"denied_\"");
    std::ofstream{segment, std::ios::binary} << text;
    const auto ran = verify();
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("record"));
    EXPECT_EQ(ran.out, "");
}

TEST_F(AuditCommandTest, ARemovedRecordIsFound) {
    auto text = contents(segment);
    const auto second = text.find('\n') + 1;
    text.erase(second, text.find('\n', second) + 1 - second);
    std::ofstream{segment, std::ios::binary} << text;
    EXPECT_EQ(verify().exit_code, 1);
}

TEST_F(AuditCommandTest, ATruncatedLogIsFoundByItsCheckpointFile) {
    auto text = contents(segment);
    text.resize(text.rfind('\n', text.size() - 2) + 1);
    std::ofstream{segment, std::ios::binary} << text;
    EXPECT_EQ(verify().exit_code, 1);
}

TEST_F(AuditCommandTest, ASegmentConsistsOfPlainLinesAfterACleanStop) {
    const auto text = contents(segment);
    EXPECT_EQ(text.find('\0'), std::string::npos) << "grep and jq must work";
    EXPECT_EQ(text.back(), '\n');
}

TEST_F(AuditCommandTest, TailPrintsTheLastRecords) {
    const auto three = countersign({"audit", "tail", "-n", "3", "--state", state});
    EXPECT_EQ(three.exit_code, 0) << three.err;
    EXPECT_EQ(std::count(three.out.begin(), three.out.end(), '\n'), 3);
    EXPECT_THAT(three.out, HasSubstr("stop"));
    EXPECT_THAT(countersign({"audit", "tail", "-n", "1", "--json", "--state", state}).out,
                HasSubstr("\"kind\":\"stop\""));
}

TEST_F(AuditCommandTest, TailResumesAfterARecordAndGivesEachLaterOneOnce) {
    const auto all = countersign({"audit", "tail", "-n", "1000", "--json", "--state", state});
    const auto first_end = all.out.find('\n') + 1;
    const auto after = countersign({"audit", "tail", "--after", "0", "--json", "--state", state});
    EXPECT_EQ(after.exit_code, 0) << after.err;
    EXPECT_EQ(after.out, all.out.substr(first_end));
    const auto last = std::to_string(std::count(all.out.begin(), all.out.end(), '\n') - 1);
    const auto up_to_date = countersign({"audit", "tail", "--after", last, "--state", state});
    EXPECT_EQ(up_to_date.exit_code, 0) << up_to_date.err;
    EXPECT_EQ(up_to_date.out, "");
    const auto beyond = countersign({"audit", "tail", "--after", "100000", "--state", state});
    EXPECT_EQ(beyond.exit_code, 1);
    EXPECT_THAT(beyond.err, HasSubstr("the newest is " + last));
}

TEST_F(AuditCommandTest, TailFollowsAfterARecord) {
    testing_tools::Talk tail{
        {testing_tools::countersign_path(), "audit", "tail", "-f", "--json", "--after", "20", "--state", state}};
    EXPECT_TRUE(tail.wait_for("\"kind\":\"stop\""));
    EXPECT_EQ(tail.said().find("\"seq\":20,"), std::string::npos);
    EXPECT_NE(tail.said().find("\"seq\":21,"), std::string::npos);
}

TEST_F(AuditCommandTest, AMissingKeyFileIsReportedAndAGivenKeyReplacesIt) {
    const auto key = contents(state + "/audit/log.vkey");
    fs::remove(state + "/audit/log.vkey");
    const auto without = verify();
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_THAT(without.err, HasSubstr("log.vkey is missing"));
    const auto with_key = verify({"--vkey", key.substr(0, key.size() - 1)});
    EXPECT_EQ(with_key.exit_code, 0) << with_key.err;
    EXPECT_THAT(with_key.out, HasSubstr("signed by the key you gave"));
}

TEST_F(AuditCommandTest, AnEmptyKeyIsRefusedAndNotIgnored) {
    const auto ran = verify({"--vkey", ""});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("--vkey is empty"));
    EXPECT_EQ(ran.out, "");
}

TEST_F(AuditCommandTest, WithoutTheCheckpointVerifySaysWhichAttackItCannotExclude) {
    EXPECT_THAT(verify().out, testing::Not(HasSubstr("no checkpoint file")));
    fs::remove(state + "/audit/checkpoint");
    const auto ran = verify();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("not proved: that no record was cut off at the end"));
    EXPECT_THAT(ran.out, HasSubstr("missing: the log has lost its checkpoint, which no crash takes"));
}

TEST_F(AuditCommandTest, TailOfADamagedLogNamesTheDamageAndFails) {
    auto text = contents(segment);
    text[text.find('\n') + 1] = 'x';
    std::ofstream{segment, std::ios::binary} << text;
    const auto ran = countersign({"audit", "tail", "--state", state});
    EXPECT_EQ(ran.exit_code, 1) << "3 is a hub's that refuses to start";
    EXPECT_THAT(ran.err, HasSubstr("seg-000000.log"));
    EXPECT_THAT(ran.err, HasSubstr("audit verify"));
    EXPECT_THAT(ran.out, HasSubstr("stop")) << "the rest is shown";
}

TEST_F(AuditCommandTest, AnInvalidNumberIsExplained) {
    const auto ran = countersign({"audit", "tail", "-n", "abc", "--state", state});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("write a whole number"));
    EXPECT_LT(ran.err.size(), 200U);
}

TEST_F(AuditCommandTest, AMissingLogIsAnErrorThatNamesTheDirectory) {
    const auto ran = countersign({"audit", "verify", "--state", directory.path() + "/nothing"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("nothing"));
}

TEST_F(AuditCommandTest, TheKeyIsPrintedSoThatItCanBeNoted) {
    const auto ran = countersign({"audit", "key", "--state", state});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, contents(state + "/audit/log.vkey"));
}

TEST_F(AuditCommandTest, AfterAKeyChangeBothKeysVerifyTheLog) {
    const auto old_key = countersign({"audit", "key", "--state", state}).out;
    const auto rotated = countersign({"audit", "key", "--rotate", "--reason", "a test", "--state", state});
    ASSERT_EQ(rotated.exit_code, 0) << rotated.err;
    EXPECT_NE(rotated.out, old_key);
    EXPECT_EQ(countersign({"audit", "key", "--state", state}).out, rotated.out);
    EXPECT_FALSE(fs::exists(state + "/keys/log.next"));
    for (const auto& key : {old_key, rotated.out}) {
        const auto proved = verify({"--every-signature", "--vkey", directory.file("key", key)});
        EXPECT_EQ(proved.exit_code, 0) << proved.err;
        EXPECT_THAT(proved.out, HasSubstr("key: 1 change, each"));
        EXPECT_THAT(proved.out, HasSubstr("proved: signed by the key you gave"));
    }
    // The secret in place is now the new key's, so the next change starts from it.
    EXPECT_EQ(countersign({"audit", "key", "--rotate", "--reason", "again", "--state", state}).exit_code, 0);
    EXPECT_THAT(verify().out, HasSubstr("key: 2 changes, each"));
    EXPECT_THAT(countersign({"audit", "tail", "--state", state}).out, HasSubstr("  key  "));
}

TEST_F(AuditCommandTest, AKeyThatIsACredentialIsChangedByTheOperator) {
    const auto credentials = directory.path() + "/credentials";
    fs::create_directory(credentials);
    fs::copy_file(state + "/keys/log", credentials + "/countersign-log-key");
    const auto rotate = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {testing_tools::countersign_path(), "audit", "key", "--rotate", "--reason", "a test",
                                   "--state", state});
        return testing_tools::run({.argv = more, .environment = {"CREDENTIALS_DIRECTORY=" + credentials}});
    };
    const auto refused = rotate({});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("--new-key-file"));
    const auto file = directory.path() + "/next";
    const auto rotated = rotate({"--new-key-file", file});
    ASSERT_EQ(rotated.exit_code, 0) << rotated.err;
    EXPECT_THAT(rotated.err, HasSubstr(file));
    EXPECT_TRUE(fs::exists(file));
    EXPECT_EQ(verify({"--vkey", directory.file("key", rotated.out)}).exit_code, 0);
    const auto old_credential = rotate({"--new-key-file", directory.path() + "/another"});
    EXPECT_EQ(old_credential.exit_code, 1);
    EXPECT_THAT(old_credential.err, HasSubstr("the log's key is"));
    const auto same = rotate({"--new-key-file", credentials + "/countersign-log-key"});
    EXPECT_EQ(same.exit_code, 1);
    EXPECT_THAT(same.err, HasSubstr("already"));
}

// In a shell without the hub's credential, nothing is created, changed or called damaged.
TEST_F(AuditCommandTest, WithoutTheHubsKeyTheLogIsNeitherHandedOverNorSealed) {
    fs::remove(state + "/keys/log");
    for (const auto& command :
         {std::vector<std::string>{"audit", "key", "--rotate", "--reason", "x"}, {"audit", "seal", "--reason", "x"}}) {
        auto argv = command;
        argv.insert(argv.end(), {"--state", state});
        const auto ran = countersign(argv);
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_THAT(ran.err, HasSubstr("$CREDENTIALS_DIRECTORY"));
        EXPECT_FALSE(fs::exists(state + "/keys/log") || fs::exists(state + "/keys/log.next"));
    }
    std::ofstream{state + "/keys/log"} << "00112233445566778899aabbccddeeff00112233445566778899aabbccddee01\n";
    fs::permissions(state + "/keys/log", fs::perms::owner_read | fs::perms::owner_write);
    const auto another = countersign({"audit", "key", "--rotate", "--reason", "x", "--state", state});
    EXPECT_EQ(another.exit_code, 1);
    EXPECT_THAT(another.err, HasSubstr("is not the log's"));
    EXPECT_FALSE(fs::exists(state + "/keys/log.next"));
    EXPECT_EQ(verify().exit_code, 0);
}

TEST_F(AuditCommandTest, ChangingTheKeyOfAMissingLogCreatesNothing) {
    const auto ran = countersign({"audit", "key", "--rotate", "--reason", "x", "--state", directory.path() + "/none"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_FALSE(fs::exists(directory.path() + "/none"));
    EXPECT_EQ(countersign({"audit", "key", "--reason", "x", "--state", state}).exit_code, 2);
    EXPECT_EQ(countersign({"audit", "key", "--rotate", "--reason", std::string(1001, 'x'), "--state", state}).exit_code,
              2);
    EXPECT_EQ(countersign({"audit", "key", "--rotate", "--reason", std::string(1000, 'x'), "--state", state}).exit_code,
              0);
}

TEST_F(AuditCommandTest, ADamagedLogIsSealedAndTheNewOneVerifies) {
    const auto whole = countersign({"audit", "seal", "--state", state, "--reason", "none"});
    EXPECT_EQ(whole.exit_code, 1);
    EXPECT_THAT(whole.err, HasSubstr("nothing wrong"));
    EXPECT_EQ(countersign({"audit", "seal", "--state", state, "--reason", " "}).exit_code, 2);
    EXPECT_EQ(countersign({"audit", "seal", "--state", state, "--reason", std::string(1000, 'x')}).exit_code, 1);
    EXPECT_EQ(countersign({"audit", "seal", "--state", state, "--reason", std::string(1001, 'x')}).exit_code, 2);

    auto bytes = contents(segment);
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream{segment} << bytes;
    EXPECT_EQ(verify().exit_code, 1);
    const auto sealed = countersign({"audit", "seal", "--state", state, "--reason", "a test broke it"});
    ASSERT_EQ(sealed.exit_code, 0) << sealed.err;
    EXPECT_THAT(sealed.out, HasSubstr("audit-sealed-1"));
    EXPECT_EQ(contents(state + "/audit-sealed-1/seg-000000.log"), bytes);
    EXPECT_EQ(verify().exit_code, 0);
    const auto tail = countersign({"audit", "tail", "--state", state}).out;
    EXPECT_THAT(tail, HasSubstr("a test broke it"));
}

}  // namespace
}  // namespace countersign
