// SPDX-License-Identifier: Apache-2.0
// Third-party programs on our output: they must compute the same root, accept the same signature and make the same
// proofs, byte for byte.
#include "audit/proof.hpp"
#include "audit/proof_text.hpp"
#include "audit/tiles.hpp"
#include "core/json/write.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace countersign::audit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::Ran;
using testing_tools::run;

void write(const std::string& path, std::string_view bytes) {
    fs::create_directories(fs::path{path}.parent_path());
    std::ofstream{path, std::ios::binary} << bytes;
}

class ThirdParty : public testing::Test {
protected:
    void SetUp() override {
        root = scratch.path();
        vkey = root + "/vkey";
        tiles = root + "/tiles";
        proofs = root + "/proofs";
        fs::create_directories(proofs);
        write(vkey, signer().key().vkey() + "\n");
    }
    [[nodiscard]] Ran go() const { return run({.argv = {CHECK_LOG, vkey, tiles, proofs}}); }

    using Leaves = std::function<void(const std::function<void(std::string_view)>&)>;
    // Our proof that the latest tree extends the older one.
    void prove_tree(const Leaves& leaves, std::uint64_t older, std::uint64_t latest) const {
        ProofMaker maker{consistency_subtrees(older, latest)};
        CompactRange range;
        leaves([&](std::string_view leaf) {
            maker.take(leaf_hash(leaf));
            if (range.size() < older) range.append(leaf_hash(leaf));
        });
        write(proofs + "/" + std::to_string(older) + ".tree",
              std::to_string(older) + "\n" + security::base64(range.root()) + "\n" + hash_lines(maker.proof()));
    }

    testing_tools::TemporaryDirectory scratch;
    std::string root, vkey, tiles, proofs;
};

// The tree with three levels of tiles that is in the notes of the format.
class SeventyThousand : public ThirdParty {
protected:
    static constexpr std::uint64_t size = 70'000;
    static void leaves(const std::function<void(std::string_view)>& take) {
        for (std::uint64_t i = 0; i < size; ++i) take("{\"seq\":" + std::to_string(i) + ",\"v\":\"é\"}");
    }
    void SetUp() override {
        ThirdParty::SetUp();
        CompactRange range;
        TileMaker maker{[&](const std::string& path, std::string_view bytes) -> Result<void> {
            write(tiles + "/" + path, bytes);
            return {};
        }};
        leaves([&](std::string_view leaf) {
            range.append(leaf_hash(leaf));
            ASSERT_TRUE(maker.take(leaf));
        });
        ASSERT_TRUE(maker.finish());
        const auto text = checkpoint_text(origin, {.size = size, .root = range.root()});
        write(tiles + "/checkpoint", note(text, origin, signer().sign(text)));
    }
    void prove_record(std::uint64_t index) const {
        ProofMaker maker{inclusion_subtrees(index, size)};
        std::uint64_t at = 0;
        const auto name = proofs + "/" + std::to_string(index);
        leaves([&](std::string_view leaf) {
            maker.take(leaf_hash(leaf));
            if (at++ == index) write(name + ".record", leaf);
        });
        write(name + ".tlog-proof",
              to_text({.index = index, .path = maker.proof(), .checkpoint = contents(tiles + "/checkpoint")}));
    }
};

TEST_F(SeventyThousand, GoAcceptsOurProofsAndMakesTheSameFromOurTiles) {
    for (const std::uint64_t index : {0, 255, 256, 65'535, 65'536, 69'888, 69'999}) prove_record(index);
    for (const std::uint64_t older : {1, 2, 255, 256, 257, 65'536, 65'537, 69'888, 69'999}) {
        prove_tree(leaves, older, size);
    }
    const auto ran = go();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "70000 cKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=, 7 records and 9 trees proved\n");
}

TEST_F(SeventyThousand, GoRefusesAChangedTile) {
    prove_record(300);
    auto tile = contents(tiles + "/tile/0/001");
    tile[31] = static_cast<char>(tile[31] ^ 1);
    write(tiles + "/tile/0/001", tile);
    EXPECT_EQ(go().exit_code, 1);
}

TEST(PublishedVectors, AreValidForGoUntilOneIsChanged) {
    const testing_tools::TemporaryDirectory copy;
    const fs::path vectors{COUNTERSIGN_SOURCE_DIR "/tests/data/vectors"};
    const auto ran = run({.argv = {CHECK_VECTORS, vectors.string()}});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("checks hold"));
    for (const auto* name : {"merkle.json", "signed.json"}) write(copy.path() + "/" + name, contents(vectors / name));
    auto page = contents(vectors / "signed.json");
    const auto at = page.rfind("\"valid\":true");
    write(copy.path() + "/signed.json", page.replace(at, 12, "\"valid\":false"));
    const auto changed = run({.argv = {CHECK_VECTORS, copy.path()}});
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_THAT(changed.err, HasSubstr("a proof"));
}

// A log as a hub writes it, and the output of our commands for it.
class HubLog : public ThirdParty {
protected:
    static constexpr int votes = 598;
    void SetUp() override {
        ThirdParty::SetUp();
        LogWorld world;
        ASSERT_TRUE(world.open());
        for (int i = 0; i < votes; ++i) ASSERT_TRUE(world.append(entry("vote", {{"person", "é" + std::to_string(i)}})));
        ASSERT_TRUE(world.close());
        for (const auto& path : world.disk->paths()) write(root + "/" + path, world.disk->read(path));
        for (const auto& record : world.records()) records.push_back(json::canonical(record.members));
    }
    [[nodiscard]] std::vector<std::string> audit(std::vector<std::string> command) const {
        command.insert(command.begin(), "audit");
        command.insert(command.end(), {"--state", root + "/state", "--vkey", vkey});
        return command;
    }
    std::vector<std::string> records;
};

TEST_F(HubLog, GoAcceptsItsExportAndItsProofsAndMakesTheSame) {
    const auto exported = countersign(audit({"export", "--tiles", tiles}));
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    for (const auto* seq : {"0", "255", "256", "300", "511", "512", "599"}) {
        const auto name = proofs + "/" + seq;
        const auto proved =
            countersign(audit({"prove", seq, "-o", name + ".tlog-proof", "--record", name + ".record"}));
        ASSERT_EQ(proved.exit_code, 0) << proved.err;
    }
    const auto leaves = [&](const std::function<void(std::string_view)>& take) {
        for (const auto& record : records) take(record);
    };
    for (std::uint64_t older = 1; older < 600; older += 37) prove_tree(leaves, older, 600);
    const auto ran = go();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("7 records and 17 trees proved"));
}

TEST_F(HubLog, GoRefusesItWithAnotherKeyAndWithAnotherRecord) {
    ASSERT_EQ(countersign(audit({"export", "--tiles", tiles})).exit_code, 0);
    const auto name = proofs + "/7";
    ASSERT_EQ(countersign(audit({"prove", "7", "-o", name + ".tlog-proof", "--record", name + ".record"})).exit_code,
              0);
    ASSERT_EQ(go().exit_code, 0);
    const auto record = contents(name + ".record");
    write(name + ".record", record + " ");
    EXPECT_EQ(go().exit_code, 1);
    write(name + ".record", record);
    write(vkey, signer(32).key().vkey() + "\n");
    EXPECT_EQ(go().exit_code, 1);
}

TEST_F(HubLog, CheckProofIsValidOnlyForItsRecordAndKey) {
    const auto name = root + "/7";
    ASSERT_EQ(countersign(audit({"prove", "7", "-o", name + ".tlog-proof", "--record", name + ".json"})).exit_code, 0);
    const auto check = [&](const std::string& record, const std::string& key) {
        return countersign({"check", "proof", name + ".tlog-proof", "--record", record, "--vkey", key});
    };
    const auto holds = check(name + ".json", vkey);
    EXPECT_EQ(holds.exit_code, 0) << holds.err;
    EXPECT_THAT(holds.out, HasSubstr("holds: record 7 of audit.example/bridge1, in the tree of 600 records"));
    write(root + "/other.json", records[8]);
    const auto other = check(root + "/other.json", vkey);
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, HasSubstr("this is not record 7"));
    EXPECT_EQ(check(name + ".json", signer(32).key().vkey()).exit_code, 1);
    EXPECT_EQ(check(name + ".missing", vkey).exit_code, 1);
    EXPECT_EQ(countersign(audit({"prove", "600"})).exit_code, 1);
    EXPECT_EQ(countersign(audit({"prove", "x"})).exit_code, 2);
}

TEST_F(HubLog, OpenSslAcceptsTheSignatureOfItsCheckpoint) {
    const auto checkpoint = contents(root + "/state/audit/checkpoint");
    const auto split = checkpoint.rfind("\n\n");
    const auto base64 = checkpoint.substr(checkpoint.rfind(' ') + 1);
    const auto signature = *security::base64_decode(base64.substr(0, base64.size() - 1));
    const auto public_key = signing_key().public_key();
    auto der = *security::hex_decode("302a300506032b6570032100");
    der.insert(der.end(), public_key.bytes().begin(), public_key.bytes().end());
    write(root + "/pub.der", std::string(der.begin(), der.end()));
    write(root + "/text", checkpoint.substr(0, split + 1));
    write(root + "/sig", std::string(signature.begin() + 4, signature.end()));
    const std::vector<std::string> verify{"openssl",         "pkeyutl",  "-verify",    "-pubin", "-inkey",
                                          root + "/pub.der", "-keyform", "DER",        "-rawin", "-in",
                                          root + "/text",    "-sigfile", root + "/sig"};
    const auto ran = run({.argv = verify});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("Verified Successfully"));
    write(root + "/text", checkpoint.substr(0, split));
    EXPECT_NE(run({.argv = verify}).exit_code, 0);
}

}  // namespace
}  // namespace countersign::audit
