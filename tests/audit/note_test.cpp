// SPDX-License-Identifier: Apache-2.0
#include "audit/note.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

constexpr const char* example_vkey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const std::string example_note =
    "This is an example message.\n\n"
    "— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

constexpr const char* log_vkey = "audit.example/bridge1+e15d6e25+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";

TEST(Note, TheExampleOfTheSpecificationVerifies) {
    const auto key = NoteKey::parse(example_vkey);
    ASSERT_TRUE(key) << describe(key.error());
    EXPECT_EQ(key->name(), "example.com/foo");
    EXPECT_EQ(key->vkey(), example_vkey);
    const auto text = open_note(example_note, *key);
    ASSERT_TRUE(text) << describe(text.error());
    EXPECT_EQ(*text, "This is an example message.\n");
}

TEST(Note, NoByteOfANoteCanBeChanged) {
    const auto key = *NoteKey::parse(example_vkey);
    for (std::size_t i = 0; i < example_note.size(); ++i) {
        auto changed = example_note;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(open_note(changed, key)) << "byte " << i;
    }
}

TEST(Note, AVerifierKeyWithAnyByteChangedIsRefused) {
    const std::string vkey = example_vkey;
    for (std::size_t i = 0; i < vkey.size(); ++i) {
        auto changed = vkey;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(NoteKey::parse(changed)) << "byte " << i;
    }
    for (const auto* bad : {"", "a", "a+b", "a+00000000+", "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"}) {
        EXPECT_FALSE(NoteKey::parse(bad)) << bad;
    }
}

TEST(Note, AKeyNameContainsNoSpaceAndNoPlus) {
    for (const auto* bad : {"", "a b", "a+b", "a\nb",
                            "a\xC2\xA0"
                            "b",
                            "a\xE3\x80\x80", "\xFF"}) {
        EXPECT_EQ(NoteSigner::make(bad, signing_key()).error().code, Errc::bad_config) << bad;
    }
    EXPECT_TRUE(NoteSigner::make("audit.example/é", signing_key()));
}

TEST(Note, LinesOfOtherKeysAreIgnoredButOurOwnMustVerify) {
    const auto ours = signer();
    const auto other = signer(32);
    const std::string text = "text\n";
    const auto good = note(text, origin, ours.sign(text));
    EXPECT_EQ(*open_note(good + "— " + origin + " " + other.sign(text) + "\n", ours.key()), text);
    EXPECT_EQ(open_note(good + "— " + origin + " " + ours.sign("another\n") + "\n", ours.key()).error().code,
              Errc::bad_signature);
    EXPECT_EQ(open_note(note(text, origin, other.sign(text)), ours.key()).error().code, Errc::bad_signature);
    EXPECT_EQ(open_note(text, ours.key()).error().code, Errc::malformed);
}

TEST(Note, I13_TheNumberOfSignaturesIsBounded) {
    const auto ours = signer();
    const std::string text = "text\n";
    const auto more = signature_line(origin, signer(32).sign(text));
    auto crowded = note(text, origin, ours.sign(text));
    for (std::size_t i = 1; i < limits::note_signatures_max; ++i) crowded += more;
    EXPECT_EQ(*open_note(crowded, ours.key()), text);
    EXPECT_EQ(open_note(crowded + more, ours.key()).error().code, Errc::malformed);
}

TEST(Note, SignaturesOfStrangersAreNotKept) {
    const std::vector keys{signer().key()};
    const std::string text = "a note\n";
    const auto clean = note(text, origin, signer().sign(text));
    const auto stranger = NoteSigner::make("stranger.example", signing_key(7));
    const auto more = clean + signature_line("stranger.example", stranger->sign(text)) +
                      signature_line("nobody.example", std::string(92, 'A'));
    EXPECT_EQ(*signed_only_by(more, keys), clean);
    EXPECT_EQ(*signed_only_by(clean, keys), clean);
    EXPECT_FALSE(signed_only_by(note(text, "stranger.example", stranger->sign(text)), keys));
}

TEST(Checkpoint, SeventyThousandLeavesGiveTheSignatureThatThirdPartiesAccepted) {
    CompactRange range;
    for (int i = 0; i < 70'000; ++i) range.append(leaf_hash("{\"seq\":" + std::to_string(i) + ",\"v\":\"é\"}"));
    const Tree tree{.size = range.size(), .root = range.root()};
    const auto ours = signer();
    EXPECT_EQ(ours.key().vkey(), log_vkey);
    const auto text = checkpoint_text(origin, tree);
    EXPECT_EQ(text, "audit.example/bridge1\n70000\ncKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=\n");
    EXPECT_EQ(note(text, origin, ours.sign(text)),
              text + "\n— audit.example/bridge1 "
                     "4V1uJb8ek3/qhur/p0xf4AXGRAccwb2oSb7ayh3/18tFJ6X/U/o+EIOJl7ZcmR29CEDmzBY6U9XXyzjoQmC5SN78/A4=\n");
    const auto parsed = parse_checkpoint(text, origin);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->size, 70'000U);
    EXPECT_EQ(parsed->root, tree.root);
}

TEST(Checkpoint, OnlyTheOneSpellingIsRead) {
    const auto root = security::base64(CompactRange{}.root());
    EXPECT_TRUE(parse_checkpoint(origin + "\n0\n" + root + "\n", origin));
    for (const auto& bad :
         {origin + "\n00\n" + root + "\n", origin + "\n-1\n" + root + "\n", origin + "\n\n" + root + "\n",
          origin + "\n1\n" + root, origin + "\n1\n" + root + "\nextension\n", "other\n1\n" + root + "\n",
          origin + "\n1\nAAAA\n", origin + "\n18446744073709551616\n" + root + "\n"}) {
        EXPECT_EQ(parse_checkpoint(bad, origin).error().code, Errc::malformed) << bad;
    }
}

TEST(Checkpoint, I13_ASizeThatAJsonReaderWouldRoundIsRefused) {
    EXPECT_EQ(*parse_size("9007199254740992"), limits::log_records_max);
    EXPECT_EQ(parse_size("9007199254740993").error().code, Errc::malformed);
    EXPECT_EQ(parse_size("18446744073709551615").error().code, Errc::malformed);
}

}  // namespace
}  // namespace countersign::audit
