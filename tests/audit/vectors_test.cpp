// SPDX-License-Identifier: Apache-2.0
// The vectors of tests/data/vectors, for people who implement the formats elsewhere: this code produces them, and
// accepts and refuses them as they say. Go's library does the same in tests/interop.
#include "audit/note.hpp"
#include "audit/proof.hpp"
#include "audit/proof_text.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace countersign::audit {
namespace {

constexpr std::uint64_t leaves_max = 9;
constexpr std::uint64_t cosigned_seconds = 1'763'258'400;

std::string in_base64(const Hash& hash) { return security::base64(hash); }

json::Array in_base64(const std::vector<Hash>& hashes) {
    json::Array all;
    for (const auto& hash : hashes) all.emplace_back(in_base64(hash));
    return all;
}

// Nothing, one byte, and bytes that aren't text.
std::vector<std::string> leaves() {
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < leaves_max; ++i) {
        std::string leaf;
        for (std::uint64_t at = 0; at < i; ++at) leaf += static_cast<char>(i * 29 + at * 31);
        all.push_back(leaf);
    }
    return all;
}

Tree tree_of(std::uint64_t size) {
    CompactRange range;
    const auto all = leaves();
    for (std::uint64_t i = 0; i < size; ++i) range.append(leaf_hash(all[i]));
    return {.size = size, .root = range.root()};
}

std::vector<Hash> proof_of(std::vector<Subtree> subtrees, std::uint64_t size) {
    ProofMaker maker{std::move(subtrees)};
    const auto all = leaves();
    for (std::uint64_t i = 0; i < size; ++i) maker.take(leaf_hash(all[i]));
    return maker.proof();
}

// One entry per line, so that a page is readable and a diff shows a changed entry as one line.
std::string page_of(const std::vector<std::pair<std::string, json::Array>>& lists) {
    std::string page = "{";
    for (const auto& [name, entries] : lists) {
        page += page == "{" ? "\n" : ",\n";
        page += "  \"" + name + "\": [";
        for (const auto& entry : entries) {
            page += (&entry == &entries.front() ? "\n    " : ",\n    ") + json::canonical(entry);
        }
        page += "\n  ]";
    }
    return page + "\n}\n";
}

std::string merkle_page() {
    json::Array leaf_list;
    json::Array roots;
    json::Array inclusion;
    json::Array consistency;
    for (const auto& leaf : leaves()) {
        leaf_list.emplace_back(json::Object{{"data", security::hex(leaf)}, {"leafHash", in_base64(leaf_hash(leaf))}});
    }
    for (std::uint64_t size = 0; size <= leaves_max; ++size) {
        roots.emplace_back(json::Object{{"size", size}, {"root", in_base64(tree_of(size).root)}});
        for (std::uint64_t index = 0; index < size; ++index) {
            inclusion.emplace_back(json::Object{{"index", index},
                                                {"size", size},
                                                {"path", in_base64(proof_of(inclusion_subtrees(index, size), size))}});
        }
        for (std::uint64_t older = 1; older <= size; ++older) {
            consistency.emplace_back(
                json::Object{{"older", older},
                             {"newer", size},
                             {"path", in_base64(proof_of(consistency_subtrees(older, size), size))}});
        }
    }
    return page_of({{"leaves", leaf_list}, {"roots", roots}, {"inclusion", inclusion}, {"consistency", consistency}});
}

NoteSigner witness() {
    return std::move(*NoteSigner::make("witness.example/w1", signing_key(64), NoteAlgorithm::witness));
}

struct Signed {
    json::Array notes, checkpoints, cosignatures, proofs;
};

// Invalid examples are made from valid ones by one change, which their `why` names.
std::string changed(std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
}

Signed signed_vectors() {
    Signed made;
    const auto log = signer();
    const auto vkey = log.key().vkey();
    const auto add = [](json::Array& list, json::Object entry, bool valid, const char* why) {
        entry.add("valid", valid);
        entry.add("why", why);
        list.emplace_back(std::move(entry));
    };
    const std::string text = "A text of two lines,\nof which the second has an é.\n";
    const auto whole = note(text, origin, log.sign(text));
    const auto stranger = signature_line("other.example/key", signer(32).sign(text));
    const auto note_of = [&](std::string bytes) {
        return json::Object{{"vkey", vkey}, {"text", text}, {"note", std::move(bytes)}};
    };
    add(made.notes, note_of(whole), true, "signed by the key");
    add(made.notes, note_of(whole + stranger), true, "the signature of a key that nobody gave is ignored");
    add(made.notes, note_of(changed(whole, "two", "six")), false, "another text");
    add(made.notes, note_of(note(text, origin, signer(32).sign(text))), false, "another key under the same name");
    add(made.notes, note_of(text + "\n" + stranger), false, "no signature of the key");

    const auto tree = tree_of(leaves_max);
    const auto checkpoint_body = checkpoint_text(origin, tree);
    const auto checkpoint = note(checkpoint_body, origin, log.sign(checkpoint_body));
    const auto checkpoint_of = [&](std::string bytes) {
        return json::Object{{"vkey", vkey},
                            {"checkpoint", std::move(bytes)},
                            {"origin", origin},
                            {"size", tree.size},
                            {"root", in_base64(tree.root)}};
    };
    const auto zero = changed(checkpoint_body, "\n9\n", "\n09\n");
    add(made.checkpoints, checkpoint_of(checkpoint), true, "the tree of merkle.json");
    add(made.checkpoints, checkpoint_of(note(zero, origin, log.sign(zero))), false, "a size with a leading zero");
    add(made.checkpoints, checkpoint_of(changed(checkpoint, "\n9\n", "\n8\n")), false, "another size");

    const auto second = witness();
    const auto cosigned =
        checkpoint + signature_line(second.key().name(), second.cosign(checkpoint_body, cosigned_seconds));
    const auto cosigned_of = [&](std::string bytes) {
        return json::Object{{"vkey", vkey},
                            {"witness", second.key().vkey()},
                            {"checkpoint", std::move(bytes)},
                            {"time", cosigned_seconds}};
    };
    add(made.cosignatures, cosigned_of(cosigned), true, "seen at that Unix time");
    add(made.cosignatures, cosigned_of(checkpoint), false, "not cosigned");
    auto plain = std::move(*NoteSigner::make(second.key().name(), signing_key(64), NoteAlgorithm::witness));
    add(made.cosignatures,
        cosigned_of(checkpoint + signature_line(second.key().name(), plain.cosign(zero, cosigned_seconds))), false,
        "the cosignature of another checkpoint");

    const auto record = leaves()[5];
    const auto proof = to_text(
        {.index = 5, .path = proof_of(inclusion_subtrees(5, leaves_max), leaves_max), .checkpoint = checkpoint});
    const auto proof_for = [&](std::string bytes, const std::string& of) {
        return json::Object{{"vkey", vkey}, {"proof", std::move(bytes)}, {"record", security::hex(of)}};
    };
    add(made.proofs, proof_for(proof, record), true, "leaf 5 of merkle.json");
    add(made.proofs, proof_for(proof, leaves()[4]), false, "another record");
    add(made.proofs, proof_for(changed(proof, "index 5", "index 4"), record), false, "another place");
    add(made.proofs, proof_for(changed(proof, "\n9\n", "\n8\n"), record), false, "a checkpoint that was changed");
    return made;
}

std::string signed_page() {
    const auto [notes, checkpoints, cosignatures, proofs] = signed_vectors();
    return page_of(
        {{"notes", notes}, {"checkpoints", checkpoints}, {"cosignatures", cosignatures}, {"proofs", proofs}});
}

std::string published(const std::string& name, const std::string& made) {
    const auto path = std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/data/vectors/" + name;
    if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) std::ofstream{path, std::ios::binary} << made;
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// The entries of one list of a published page.
class Published {
public:
    explicit Published(const std::string& page) : document_{std::move(*json::read(page))} {}
    [[nodiscard]] std::vector<Record> list(std::string_view name) const {
        std::vector<Record> entries;
        for (const auto& value : *document_.value.object()->find(name)->array()) {
            entries.push_back(Record{.members = *value.object()});
        }
        return entries;
    }

private:
    json::Document document_;
};

std::vector<Hash> path_in(const Record& entry) {
    std::vector<Hash> path;
    for (const auto& hash : *entry.members.find("path")->array()) path.push_back(*parse_hash(*hash.string()));
    return path;
}

std::string bytes_in(const Record& entry, std::string_view name) {
    const auto bytes = *security::hex_decode(entry.text(name));
    return {bytes.begin(), bytes.end()};
}

bool valid(const Record& entry) { return *entry.members.find("valid")->boolean(); }

TEST(Vectors, AreReproducedByThisCode) {
    EXPECT_EQ(published("merkle.json", merkle_page()), merkle_page());
    EXPECT_EQ(published("signed.json", signed_page()), signed_page());
}

TEST(Vectors, OfTreesAndProofsAreValid) {
    const Published page{published("merkle.json", merkle_page())};
    CompactRange range;
    std::vector<Hash> roots{range.root()};
    std::vector<Hash> hashes;
    for (const auto& leaf : page.list("leaves")) {
        hashes.push_back(leaf_hash(bytes_in(leaf, "data")));
        EXPECT_EQ(in_base64(hashes.back()), leaf.text("leafHash"));
        range.append(hashes.back());
        roots.push_back(range.root());
    }
    for (const auto& root : page.list("roots")) EXPECT_EQ(in_base64(roots.at(*root.number("size"))), root.text("root"));
    EXPECT_EQ(page.list("inclusion").size(), 45U);
    for (const auto& one : page.list("inclusion")) {
        const auto index = *one.number("index");
        const Tree tree{.size = *one.number("size"), .root = roots.at(*one.number("size"))};
        EXPECT_TRUE(included(hashes.at(index), index, tree, path_in(one)));
        EXPECT_FALSE(included(hashes.at(index), index + 1, tree, path_in(one)));
    }
    EXPECT_EQ(page.list("consistency").size(), 45U);
    for (const auto& one : page.list("consistency")) {
        const Tree older{.size = *one.number("older"), .root = roots.at(*one.number("older"))};
        const Tree newer{.size = *one.number("newer"), .root = roots.at(*one.number("newer"))};
        EXPECT_TRUE(consistent(older, newer, path_in(one)));
        EXPECT_FALSE(consistent({.size = older.size, .root = leaf_hash("x")}, newer, path_in(one)));
    }
}

TEST(Vectors, OfNotesCheckpointsCosignaturesAndProofsAreValidOrInvalidAsTheySay) {
    const Published page{published("signed.json", signed_page())};
    for (const auto& one : page.list("notes")) {
        const auto text = open_note(one.text("note"), *NoteKey::parse(one.text("vkey")));
        EXPECT_EQ(text && *text == one.text("text"), valid(one)) << one.text("why");
    }
    for (const auto& one : page.list("checkpoints")) {
        const auto key = *NoteKey::parse(one.text("vkey"));
        const auto text = open_note(one.text("checkpoint"), key);
        const auto tree = text ? parse_checkpoint(*text, key.name()) : Result<Tree>{text.error()};
        const bool holds = tree && tree->size == one.number("size") && in_base64(tree->root) == one.text("root");
        EXPECT_EQ(holds, valid(one)) << one.text("why");
    }
    for (const auto& one : page.list("cosignatures")) {
        const auto key = *NoteKey::parse(one.text("witness"), NoteAlgorithm::witness);
        const auto seconds = cosigned_at(one.text("checkpoint"), key);
        EXPECT_EQ(seconds && *seconds == one.number("time"), valid(one)) << one.text("why");
    }
    for (const auto& one : page.list("proofs")) {
        const auto proof = parse_inclusion_proof(one.text("proof"));
        ASSERT_TRUE(proof);
        EXPECT_EQ(bool{check(*proof, bytes_in(one, "record"), *NoteKey::parse(one.text("vkey")))}, valid(one))
            << one.text("why");
    }
}

}  // namespace
}  // namespace countersign::audit
