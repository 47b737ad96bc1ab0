// SPDX-License-Identifier: Apache-2.0
#include "audit/record_head.hpp"

#include "audit/record.hpp"
#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <random>

namespace countersign::audit {
namespace {

Stamp stamp() { return {.seq = 12, .prev_root = leaf_hash("x"), .synced = 11, .boot_id = "b"}; }

// For any text, the fast parser either gives no result or the same result as the slow one.
bool both_agree(const std::string& json) {
    const auto quick = scan_head(json);
    const auto slow = parse_record(json);
    if (!quick) return true;
    return slow && quick->seq == slow->seq && quick->synced == slow->synced && quick->prev_root == slow->prev_root &&
           quick->kind == slow->kind && quick->text_file == slow->text("textFile");
}

std::vector<std::string> records() {
    const json::Object nested{{"a", json::Array{1, "x", json::Value{}, true, json::Object{{"b", 2}, {"c", false}}}},
                              {"empty", json::Object{}},
                              {"list", json::Array{}}};
    std::vector<std::string> found;
    found.push_back(*encode_record(entry("decision", {{"toolName", "Bash"}, {"decisionLatencyMs", 12}}), stamp()));
    found.push_back(*encode_record(entry("config", {{"people", nested}}), stamp()));
    found.push_back(*encode_record(entry("request", {{"text", "say \"é\"\n\t\\ \u2028 \U0001F600"}}), stamp()));
    found.push_back(*encode_record(
        {.kind = "request", .fields = {}, .long_text = LogEntry::LongText{.hash = std::string(64, 'a'), .text = "x"}},
        stamp()));
    return found;
}

TEST(RecordHead, RecordsOfTheLogAreReadByTheFastParser) {
    for (const auto& json : records()) {
        ASSERT_TRUE(scan_head(json)) << json;
        EXPECT_TRUE(both_agree(json));
    }
    EXPECT_EQ(scan_head(records()[3])->text_file, std::string(64, 'a'));
}

TEST(RecordHead, UnusualRecordsAreReadByTheSlowParserOrNotAtAll) {
    const auto usual = records()[0];
    EXPECT_FALSE(scan_head(" " + usual));
    EXPECT_TRUE(read_head(" " + usual));
    const auto control = *encode_record(entry("n", {{"text", "\x1b"}, {"é", -1}, {"x", 1}}), stamp());
    EXPECT_FALSE(scan_head(control));
    EXPECT_EQ(read_head(control)->kind, "n");
    EXPECT_EQ(read_head("{\"v\":1," + usual.substr(1)).error().code, Errc::malformed) << "a name twice";
    auto later = usual;
    later.replace(later.find("\"v\":1"), 5, "\"v\":2");
    EXPECT_EQ(read_head(later).error().code, Errc::unsupported);
}

TEST(RecordHead, I13_TheFastParserHasTheSameBoundsAsTheSlowOne) {
    const auto of_length = [](std::size_t bytes) {
        auto json = records()[0];
        json.insert(json.find("\"Bash\"") + 1, bytes - json.size(), 'x');
        return json;
    };
    EXPECT_TRUE(scan_head(of_length(limits::record_bytes_max)));
    EXPECT_FALSE(scan_head(of_length(limits::record_bytes_max + 1)));
    EXPECT_FALSE(read_head(of_length(limits::record_bytes_max + 1)));
}

TEST(RecordHead, BothParsersAgreeOnEveryChangeOfOneByte) {
    for (const auto& json : records()) {
        for (std::size_t i = 0; i < json.size(); ++i) {
            for (int byte = 0; byte < 256; ++byte) {
                auto changed = json;
                changed[i] = static_cast<char>(byte);
                ASSERT_TRUE(both_agree(changed)) << changed;
            }
            auto shorter = json;
            shorter.erase(i, 1);
            ASSERT_TRUE(both_agree(shorter)) << shorter;
        }
    }
}

TEST(RecordHead, BothParsersAgreeOnRandomCombinationsOfPieces) {
    const std::vector<std::string> pieces{"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\"a\"",
                                          "\"seq\":12",
                                          "\"v\":1",
                                          "\\\"",
                                          "\\u00e9",
                                          "1",
                                          "01",
                                          "-1",
                                          "1.5",
                                          "1e3",
                                          "9007199254740993",
                                          "true",
                                          "null",
                                          "\xC3\xA9",
                                          "\xFF",
                                          "\"kind\":\"n\"",
                                          "\"synced\":3",
                                          "\"z\":{}",
                                          " "};
    std::mt19937 random{1};
    const auto base = records();
    for (int round = 0; round < 20'000; ++round) {
        auto json = base[random() % base.size()];
        for (auto edits = 1 + random() % 3; edits-- > 0;) {
            const auto at = random() % (json.size() + 1);
            json.replace(at, std::min<std::size_t>(random() % 4, json.size() - at), pieces[random() % pieces.size()]);
        }
        ASSERT_TRUE(both_agree(json)) << json;
    }
}

}  // namespace
}  // namespace countersign::audit
