// SPDX-License-Identifier: Apache-2.0
#include "audit/anchor.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;

std::string checkpoint(std::uint64_t size, const Hash& root, const NoteSigner& by = signer()) {
    const auto text = checkpoint_text(origin, {.size = size, .root = root});
    return note(text, origin, by.sign(text));
}
const std::string hex_root(64, 'a');

TEST(Anchor, AFileContainsShortRootsAndWholeCheckpoints) {
    const auto root = leaf_hash("x");
    const auto anchors = parse_anchors("# posted in the operators' chat\n7 AAAAAAAAAAAAAAAA\n\n" + checkpoint(5, root) +
                                           "9 " + hex_root + "\n" + checkpoint(3, root),
                                       signer().key());
    ASSERT_TRUE(anchors) << describe(anchors.error());
    ASSERT_EQ(anchors->size(), 4U);
    EXPECT_EQ((*anchors)[0].size, 3U) << "sorted";
    EXPECT_EQ((*anchors)[1].root, security::hex(root));
    EXPECT_EQ((*anchors)[1].note, checkpoint(5, root));
    EXPECT_EQ((*anchors)[2].root, "aaaaaaaaaaaaaaaa");
    EXPECT_TRUE(agrees((*anchors)[1], {.size = 5, .root = root}));
    EXPECT_FALSE(agrees((*anchors)[1], {.size = 6, .root = root}));
    EXPECT_FALSE(agrees((*anchors)[1], {.size = 5, .root = leaf_hash("y")}));
}

TEST(Anchor, AnInvalidLineIsRefusedByItsNumber) {
    const auto refusal = [](const std::string& text) {
        const auto anchors = parse_anchors(text, signer().key());
        return anchors ? std::string{} : anchors.error().detail;
    };
    EXPECT_THAT(refusal("3 " + hex_root + "\nhello\n"), HasSubstr("line 2"));
    EXPECT_THAT(refusal("0 " + hex_root), HasSubstr("line 1"));
    EXPECT_THAT(refusal("03 " + hex_root), HasSubstr("line 1"));
    EXPECT_THAT(refusal("3 " + std::string(16, 'g')), HasSubstr("hexadecimal"));
    EXPECT_THAT(refusal("3 " + hex_root + "a"), HasSubstr("hexadecimal"));
    EXPECT_THAT(refusal("# nothing\n"), HasSubstr("no anchor"));
    EXPECT_THAT(refusal(""), HasSubstr("no anchor"));
    EXPECT_THAT(refusal(checkpoint(3, leaf_hash("x"), signer(32))), HasSubstr("not signed by"));
    EXPECT_NE(refusal(origin + "\n3\n"), "");
    EXPECT_NE(refusal(checkpoint(0, CompactRange{}.root())), "");
}

TEST(Anchor, I13_AShortRootIsLongEnoughToResistGuessing) {
    const auto line = [](std::size_t chars) { return "3 " + std::string(chars, 'a'); };
    EXPECT_TRUE(parse_anchors(line(limits::anchor_root_chars_min), signer().key()));
    EXPECT_FALSE(parse_anchors(line(limits::anchor_root_chars_min - 1), signer().key()));
}

TEST(Anchor, I13_TheNumberOfAnchorsInAFileIsBounded) {
    std::string text;
    for (std::size_t i = 0; i < limits::anchors_max; ++i) text += "3 aaaaaaaaaaaaaaaa\n";
    EXPECT_EQ(parse_anchors(text, signer().key())->size(), limits::anchors_max);
    EXPECT_EQ(parse_anchors(text + "3 aaaaaaaaaaaaaaaa\n", signer().key()).error().code, Errc::too_large);
}

// The witness of the published vector: its key seed is the bytes 20 to 3f.
TEST(Cosignature, ThePublishedOneIsProducedAndRead) {
    const auto witness = *NoteSigner::make("witness.example/w1", signing_key(32), NoteAlgorithm::witness);
    EXPECT_EQ(witness.key().vkey(), "witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X");
    const std::string text = "audit.example/bridge1\n70000\ncKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=\n";
    const auto signature = witness.cosign(text, 1'700'000'000);
    EXPECT_EQ(
        signature,
        "IDJKvgAAAABlU/EAaJiTuXoOXw7i4il0QQ5H8NBFmwrjfgQtjkeAwoWzSwG0gHrawxEBGQLHYAs0H8oLre8ZFziZ3xB69+2liNKUDg==");
    const auto whole = note(text, origin, signer().sign(text)) + signature_line("witness.example/w1", signature);
    const auto key = NoteKey::parse(witness.key().vkey(), NoteAlgorithm::witness);
    ASSERT_TRUE(key);
    EXPECT_EQ(**cosigned_at(whole, *key), 1'700'000'000U);
    EXPECT_EQ(*open_note(whole, signer().key()), text);
    const auto other = *NoteSigner::make("witness.example/w2", signing_key(32), NoteAlgorithm::witness);
    EXPECT_FALSE(cosigned_at(whole, other.key())->has_value());
    const auto wrong = note(text, origin, signer().sign(text)) +
                       signature_line("witness.example/w1", witness.cosign("another\n", 1'700'000'000));
    EXPECT_EQ(cosigned_at(wrong, *key).error().code, Errc::bad_signature);
}

TEST(Cosignature, AWitnessKeyIsNotALogKeyAndViceVersa) {
    const auto witness = *NoteSigner::make("witness.example/w1", signing_key(32), NoteAlgorithm::witness);
    EXPECT_FALSE(NoteKey::parse(witness.key().vkey()));
    EXPECT_FALSE(NoteKey::parse(signer().key().vkey(), NoteAlgorithm::witness));
}

TEST(Anchor, AMessageWithoutItsLastLineBreakIsAccepted) {
    const auto text = checkpoint_text(origin, {.size = 4, .root = leaf_hash("x")});
    auto message = "# Audit log, 4 records.\n" + note(text, origin, signer().sign(text));
    message.pop_back();
    const auto anchors = parse_anchors(message, signer().key());
    ASSERT_TRUE(anchors) << describe(anchors.error());
    EXPECT_EQ(anchors->front().size, 4U);
    EXPECT_EQ(anchors->front().note, note(text, origin, signer().sign(text)));
}

}  // namespace
}  // namespace countersign::audit
