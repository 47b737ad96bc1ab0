// SPDX-License-Identifier: Apache-2.0
// [log]: the chats and witnesses that see the log's checkpoints.
#include "audit/note.hpp"
#include "config/effective.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "security/ed25519.hpp"
#include "tests/app/config_sample.hpp"

#include <gmock/gmock.h>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::string rest = people + channels + "[channels.ops]\nkind = \"telegram\"\ntoken_file = \"/t\"\n" + routes;

std::string vkey(audit::NoteAlgorithm algorithm = audit::NoteAlgorithm::witness,
                 const std::string& name = "w.example") {
    const auto key = security::Ed25519SigningKey::from_seed(security::Secret{std::string(32, 's')});
    return audit::NoteKey::make(name, key->public_key(), algorithm)->vkey();
}

std::string problem(const std::string& section) {
    const auto found = problems_of(rest + section);
    return found.empty() ? "" : print(found[0]).substr(std::string{"test.toml:"}.size());
}
std::string anchor(const std::string& keys) { return problem("[[log.anchors]]\n" + keys); }
std::string witness(const std::string& keys) { return problem("[[log.witnesses]]\n" + keys); }

TEST(ConfigLog, ChatsAndWitnessesAreReadWithTheirIntervals) {
    const auto configuration = configuration_of(
        rest + "[log]\norigin = \"a.example\"\n[[log.anchors]]\nchannel = \"ops\"\nchat = \"-100123\"\n" +
        "[[log.anchors]]\nchannel = \"ops\"\nchat = 77\nevery = \"1m\"\nrecords = 1\n" +
        "[[log.witnesses]]\nurl = \"https://witness.example/prefix/\"\nvkey = \"" + vkey() + "\"\n" +
        "[[log.witnesses]]\nurl = \"http://127.0.0.1:8090\"\nvkey = \"" +
        vkey(audit::NoteAlgorithm::witness, "w2.example") + "\"\nevery = \"2h\"\nrecords = 5\n");
    ASSERT_EQ(configuration.log_anchors.size(), 2U);
    EXPECT_EQ(configuration.log_anchors[0].channel, "ops");
    EXPECT_EQ(configuration.log_anchors[0].chat, "-100123");
    EXPECT_EQ(configuration.log_anchors[0].rhythm.every, 1h);
    EXPECT_EQ(configuration.log_anchors[0].rhythm.records, 1000U);
    EXPECT_EQ(configuration.log_anchors[1].chat, "77");
    EXPECT_EQ(configuration.log_anchors[1].rhythm.every, 1min);
    EXPECT_EQ(configuration.log_anchors[1].rhythm.records, 1U);
    ASSERT_EQ(configuration.log_witnesses.size(), 2U);
    EXPECT_EQ(configuration.log_witnesses[0].url, "https://witness.example/prefix");
    EXPECT_EQ(configuration.log_witnesses[0].vkey, vkey());
    EXPECT_EQ(configuration.log_witnesses[0].rhythm.every, 15min);
    EXPECT_EQ(configuration.log_witnesses[1].rhythm.every, 2h);
    const auto record = json::canonical(json::Value{config::effective(configuration)});
    EXPECT_THAT(record, HasSubstr(R"("channel":"ops","chat":"77","everyMs":60000,"records":1)"));
    EXPECT_THAT(record, HasSubstr(R"("url":"https://witness.example/prefix")"));
    EXPECT_THAT(record, HasSubstr(vkey()));
    EXPECT_TRUE(configuration_of(rest).log_anchors.empty());
}

TEST(ConfigLog, AnAnchorNeedsAChannelThatKeepsMessages) {
    EXPECT_EQ(anchor("channel = \"ops\"\nchat = -5\n"), "");
    EXPECT_EQ(anchor("chat = -5\n"),
              "12:1: log.anchors[0].channel: an anchor needs a channel; write channel = \"desk\"");
    EXPECT_THAT(anchor("channel = \"opps\"\nchat = -5\n"),
                HasSubstr("log.anchors[0].channel: there is no such channel; did you mean"));
    EXPECT_THAT(anchor("channel = \"desk\"\n"), HasSubstr("log.anchors[0].channel: a terminal has no chats"));
    EXPECT_THAT(anchor("channel = \"ops\"\n"), HasSubstr("log.anchors[0].chat: an anchor needs a chat"));
    EXPECT_THAT(anchor("channel = \"ops\"\nchat = \"@ops\"\n"), HasSubstr("log.anchors[0].chat: a @name is not"));
    EXPECT_THAT(anchor("channel = \"ops\"\nchat = -5\n[[log.anchors]]\nchannel = \"ops\"\nchat = -5\n"),
                HasSubstr("log.anchors[1].chat: this chat is named above"));
    EXPECT_THAT(anchor("channel = \"ops\"\nchat = -5\nevry = \"1h\"\n"), HasSubstr("log.anchors[0].evry: unknown key"));
    EXPECT_THAT(problem("[log]\nanchors = 5\n"), HasSubstr("write [[log.anchors]], with two brackets"));
}

TEST(ConfigLog, AnIntervalHasBounds) {
    const auto with = [](const std::string& more) { return anchor("channel = \"ops\"\nchat = -5\n" + more); };
    EXPECT_EQ(with("every = \"60s\"\n"), "");
    EXPECT_THAT(with("every = \"59s\"\n"), HasSubstr("log.anchors[0].every: out of range; write a duration from 1m"));
    EXPECT_THAT(with("every = \"soon\"\n"), HasSubstr("log.anchors[0].every: this is no duration"));
    EXPECT_EQ(with("records = 1\n"), "");
    EXPECT_THAT(with("records = 0\n"), HasSubstr("log.anchors[0].records: 0 is out of range"));
    EXPECT_EQ(with("records = 1000000000\n"), "");
    EXPECT_THAT(with("records = 1000000001\n"), HasSubstr("out of range"));
}

TEST(ConfigLog, AWitnessNeedsAnAddressAndAWitnessKey) {
    const auto url = std::string{"url = \"https://w.example\"\n"};
    const auto key = "vkey = \"" + vkey() + "\"\n";
    EXPECT_EQ(witness(url + key), "");
    EXPECT_THAT(witness(key), HasSubstr("log.witnesses[0].url: a witness needs its address"));
    EXPECT_THAT(witness(url), HasSubstr("log.witnesses[0].vkey: a witness needs its key"));
    for (const auto* bad : {"http://w.example", "ftp://w.example", "https://", "https://a@w.example", "w.example",
                            "https://w.example/?a=b", "https://w.example/#a"}) {
        EXPECT_THAT(witness("url = \"" + std::string{bad} + "\"\n" + key),
                    HasSubstr("log.witnesses[0].url: this is no https address"))
            << bad;
    }
    EXPECT_THAT(witness(url + "vkey = \"" + vkey(audit::NoteAlgorithm::log) + "\"\n"),
                HasSubstr("log.witnesses[0].vkey: this is the key of a log, not of a witness; write the line that"));
    EXPECT_THAT(witness(url + "vkey = \"nonsense\"\n"), HasSubstr("a verifier key is name+hash+key"));
    EXPECT_THAT(witness(url + key + "[[log.witnesses]]\n" + url + key),
                HasSubstr("log.witnesses[1].vkey: a witness of this name is named above"));
    EXPECT_THAT(witness(url + key + "key = \"x\"\n"), HasSubstr("log.witnesses[0].key: unknown key"));
}

TEST(ConfigLog, I13_OnePastTheBoundOfAnchorsAndWitnessesIsRefused) {
    std::string anchors;
    std::string witnesses;
    for (std::size_t i = 1; i <= limits::log_anchors_max; ++i) {
        anchors += "[[log.anchors]]\nchannel = \"ops\"\nchat = " + std::to_string(i) + "\n";
    }
    for (std::size_t i = 1; i <= limits::log_witnesses_max; ++i) {
        witnesses += "[[log.witnesses]]\nurl = \"https://w.example\"\nvkey = \"" +
                     vkey(audit::NoteAlgorithm::witness, "w" + std::to_string(i)) + "\"\n";
    }
    EXPECT_EQ(problem(anchors + witnesses), "");
    EXPECT_THAT(problem(anchors + "[[log.anchors]]\nchannel = \"ops\"\nchat = 99\n"),
                HasSubstr("more than 16 of them"));
    EXPECT_THAT(problem(witnesses + "[[log.witnesses]]\nurl = \"https://w.example\"\nvkey = \"" + vkey() + "\"\n"),
                HasSubstr("more than 16 of them"));
}

}  // namespace
}  // namespace countersign::app
