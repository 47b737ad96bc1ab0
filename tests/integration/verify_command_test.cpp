// SPDX-License-Identifier: Apache-2.0
// `audit verify` on logs that an attacker made for the reviewer: signed and complete, under the attacker's own key.
#include "audit/batch_writer.hpp"
#include "audit/layout.hpp"
#include "audit/log_marker.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::Ran;
using testing_tools::TemporaryDirectory;

class VerifyCommandTest : public testing::Test {
protected:
    // One record, and the batches that fill this many segments with it.
    void forge(const LogEntry& entry, std::uint64_t segments = 1) const {
        auto& files = audit::posix_file_system();
        auto key = security::Ed25519SigningKey::from_seed(security::Secret::random(32));
        auto signer = audit::NoteSigner::make("log.example/forged", std::move(*key));
        ASSERT_TRUE(files.make_directory(log));
        ASSERT_TRUE(audit::replace(files, log, audit::vkey_name, signer->key().vkey() + "\n"));
        audit::BatchWriter writer{{.files = files,
                                   .directory = log,
                                   .signer = std::move(*signer),
                                   .boot_id = "boot-1",
                                   .segment_bytes = 1400},
                                  {}};
        for (std::uint64_t i = 0; i < 2 * segments; ++i) ASSERT_TRUE(writer.write_every({{.entry = entry}}));
        ASSERT_TRUE(writer.finish());
    }
    [[nodiscard]] Ran verify(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"audit", "verify", "--state", state.path()});
        return countersign(more);
    }

    TemporaryDirectory state;
    std::string log = state.path() + "/audit";
};

// A reviewer reads a foreign log in a terminal, which obeys control characters.
TEST_F(VerifyCommandTest, TextInARecordCannotControlTheTerminal) {
    forge({.kind = "anchor",
           .fields = {{"witness", "w1\x1b[2J"}, {"refused", "no\x1b]0;owned\x07\nproved: everything"}},
           .long_text = {}});
    const auto found = verify();
    EXPECT_EQ(found.exit_code, 1) << "the last word of a witness was no";
    EXPECT_THAT(found.out, HasSubstr("ALARM"));
    EXPECT_THAT(found.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(found.out, Not(HasSubstr("\x07")));
    EXPECT_THAT(found.out, Not(HasSubstr("\nproved: everything")));
}

TEST_F(VerifyCommandTest, ARemovedSignatureIsReportedAndFailsTheCheck) {
    forge({.kind = "n", .fields = {}, .long_text = {}});
    const auto segment = log + "/seg-000000.log";
    auto bytes = contents(segment);
    const auto tab = bytes.find('\t');
    bytes.erase(tab, bytes.find('\n', tab) - tab);
    std::ofstream{segment} << bytes;
    const auto found = verify();
    EXPECT_EQ(found.exit_code, 1);
    EXPECT_THAT(found.out, HasSubstr("missing: 1 signature"));
    EXPECT_THAT(found.out, HasSubstr("2 records"));
}

TEST_F(VerifyCommandTest, ALongLogSaysHowManySignaturesWereNotCheckedAndCanCheckAll) {
    const LogEntry entry{.kind = "n", .fields = {{"text", std::string(300, 'x')}}, .long_text = {}};
    forge(entry, limits::verify_every_segments_max + 1);
    const auto found = verify();
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_THAT(found.out, HasSubstr("not checked: 5 signatures"));
    const auto every = verify({"--every-signature"});
    EXPECT_EQ(every.exit_code, 0) << every.err;
    EXPECT_THAT(every.out, Not(HasSubstr("not checked")));
    EXPECT_THAT(every.out, HasSubstr("checked: 10 signatures"));
}

TEST_F(VerifyCommandTest, ARemovedLogIsNotReportedAsAWrongPath) {
    const auto nothing = verify();
    EXPECT_EQ(nothing.exit_code, 1);
    EXPECT_THAT(nothing.err, HasSubstr("there is no log in"));
    forge({.kind = "n", .fields = {}, .long_text = {}});
    ASSERT_TRUE(audit::note_begun(audit::posix_file_system(), state.path()));
    ASSERT_EQ(verify().exit_code, 0);
    std::filesystem::remove_all(log);
    const auto gone = verify();
    EXPECT_EQ(gone.exit_code, 1);
    EXPECT_THAT(gone.err, HasSubstr("is gone, and one was begun here"));
}

TEST_F(VerifyCommandTest, AnEmptyOptionIsNotIgnored) {
    forge({.kind = "n", .fields = {}, .long_text = {}});
    for (const auto* option : {"--from-checkpoint", "--vkey", "--anchor", "--witness-key"}) {
        EXPECT_NE(verify({option, ""}).exit_code, 0) << option;
    }
    EXPECT_EQ(verify({"--from-checkpoint", log + "/checkpoint"}).exit_code, 0);
}

}  // namespace
}  // namespace countersign
