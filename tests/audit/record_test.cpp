// SPDX-License-Identifier: Apache-2.0
#include "audit/record.hpp"

#include "audit/segment.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace countersign::audit {
namespace {

Stamp stamp() {
    return {.seq = 12,
            .prev_root = CompactRange{}.root(),
            .synced = 11,
            .ts = WallTime{std::chrono::milliseconds{1'763'258'400'120}},
            .mono = BootTime{std::chrono::milliseconds{42}},
            .boot_id = "b"};
}

TEST(Record, ItsBytesAreCanonicalJson) {
    const auto json = encode_record(entry("vote", {{"é", "\n"}, {"person", "alice"}}), stamp());
    ASSERT_TRUE(json);
    EXPECT_EQ(*json, R"({"bootId":"b","kind":"vote","mono":42,"person":"alice",)"
                     R"("prevRoot":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=","seq":12,"synced":11,)"
                     R"("ts":"2025-11-16T02:00:00.120Z","v":1,"é":"\n"})");
    const auto record = parse_record(*json);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->seq, 12U);
    EXPECT_EQ(record->synced, 11U);
    EXPECT_EQ(record->prev_root, CompactRange{}.root());
    EXPECT_EQ(record->kind, "vote");
    EXPECT_EQ(record->text("person"), "alice");
    EXPECT_EQ(record->text("seq"), "") << "no string";
}

TEST(Record, ADraftHasNoSequenceFieldsYet) {
    const auto given = entry("vote", {{"inner", json::Object{{"prevRoot", "x"}, {"seq", 1}, {"synced", 2}}},
                                      {"text", R"("seq":0,"synced":0,"prevRoot":"AAAA")"}});
    for (const std::uint64_t seq : {0ULL, 9ULL, 10ULL, 4'503'599'627'370'495ULL}) {
        auto placed = stamp();
        placed.seq = seq;
        placed.synced = seq / 7;
        placed.prev_root = leaf_hash("x");
        const auto draft = draft_record(given, stamp());
        ASSERT_TRUE(draft);
        EXPECT_EQ(parse_record(draft->json)->seq, 0U);
        std::string lines = "before\n";
        ASSERT_TRUE(place_record(*draft, placed, lines));
        const auto json = lines.substr(7);
        EXPECT_EQ(json, *encode_record(given, placed));
        const auto record = parse_record(json);
        ASSERT_TRUE(record);
        EXPECT_EQ(record->seq, seq);
        EXPECT_EQ(record->synced, seq / 7);
        EXPECT_EQ(record->prev_root, leaf_hash("x"));
        EXPECT_EQ(json::canonical(*record->members.find("inner")), R"({"prevRoot":"x","seq":1,"synced":2})");
    }
}

TEST(Record, ItsSequenceFieldsCanMakeItTooLong) {
    const auto of_length = [](std::size_t length) { return entry("n", {{"text", std::string(length, 'x')}}); };
    const auto length = limits::record_bytes_max - draft_record(of_length(0), stamp())->json.size();
    auto draft = draft_record(of_length(length), stamp());
    ASSERT_EQ(draft->json.size(), limits::record_bytes_max);
    auto at_the_start = stamp();
    at_the_start.seq = 9;
    at_the_start.synced = 0;
    std::string lines;
    EXPECT_TRUE(place_record(*draft, at_the_start, lines));
    EXPECT_EQ(lines.size(), limits::record_bytes_max);
    EXPECT_EQ(place_record(*draft, stamp(), lines).error().code, Errc::too_large) << "12 has two digits";
    EXPECT_EQ(lines.size(), limits::record_bytes_max) << "what has no place leaves nothing";
}

TEST(Record, ReusedMemoryLeavesNothingInARecord) {
    const auto given = entry("vote", {{"person", "alice"}});
    const auto fresh = draft_record(given, stamp());
    for (const std::string& room : {std::string{}, std::string("x"), std::string(5000, 'x')}) {
        const auto again = draft_record(given, stamp(), room);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->json, fresh->json);
    }
}

// Records without arrays and objects aren't parsed again when they are written.
TEST(Record, AFlatRecordWithAnyContentIsReadBack) {
    std::string every;
    for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
    for (const auto& name : {every, std::string{}, std::string{"\"\\\t"}, std::string{"\xED\xA0\x80"}}) {
        for (const json::Value& value : {json::Value{every}, json::Value{}, json::Value{true}, json::Value{-1},
                                         json::Value{json::Number{"1e-7"}}}) {
            const auto json = encode_record(entry(every, {{name, value}, {name + "a", value}}), stamp());
            ASSERT_TRUE(json);
            EXPECT_TRUE(parse_record(*json)) << *json;
        }
    }
    EXPECT_EQ(encode_record(entry(""), stamp()).error().code, Errc::malformed) << "a kind is required";
}

TEST(Record, TheFieldNamesOfTheLogAreReserved) {
    for (const auto* name : {"v", "seq", "prevRoot", "synced", "ts", "mono", "bootId", "kind"}) {
        EXPECT_EQ(encode_record(entry("n", {{name, "x"}}), stamp()).error().code, Errc::internal) << name;
    }
}

TEST(Record, ARecordThatCouldNotBeReadBackIsNotWritten) {
    json::Value deep;
    for (std::size_t i = 0; i <= limits::json_depth_max; ++i) deep = json::Array{deep};
    EXPECT_FALSE(encode_record(entry("n", {{"deep", deep}}), stamp()));
    const auto broken_text = encode_record(entry("n", {{"text", "\xFF"}}), stamp());
    ASSERT_TRUE(broken_text);
    EXPECT_EQ(parse_record(*broken_text)->text("text"), "\uFFFD");
}

TEST(Record, ANumberThatWouldBeRoundedIsNeitherWrittenNorRead) {
    for (const json::Value& bad :
         {json::Value{9'007'199'254'740'993}, json::Value{std::numeric_limits<std::uint64_t>::max()},
          json::Value{json::Array{json::Object{{"deep", 9'007'199'254'740'993}}}}}) {
        EXPECT_EQ(encode_record(entry("n", {{"seen", bad}}), stamp()).error().code, Errc::malformed);
    }
    const auto good = encode_record(entry("n", {{"seen", 9'007'199'254'740'992}}), stamp());
    ASSERT_TRUE(good);
    EXPECT_EQ(parse_record(*good)->number("seen"), 9'007'199'254'740'992U);
    auto changed = *good;
    changed.replace(changed.find("9007199254740992"), 16, "9007199254740993");
    EXPECT_EQ(parse_record(changed).error().code, Errc::malformed);
    changed = *good;
    changed.replace(changed.find("\"seq\":12"), 8, "\"seq\":9007199254740992");
    EXPECT_EQ(parse_record(changed).error().code, Errc::malformed) << "there is no such record";
}

TEST(Record, AnInvalidRecordIsMalformed) {
    const auto good = *encode_record(entry("n"), stamp());
    ASSERT_TRUE(parse_record(good));
    for (const auto& bad : {std::string{}, std::string{"{}"}, std::string{"[]"}, std::string{"7"}, good + "x",
                            "{\"v\":1," + good.substr(1), good.substr(0, good.size() - 1)}) {
        EXPECT_EQ(parse_record(bad).error().code, Errc::malformed) << bad;
    }
    for (const auto* name : {"\"kind\"", "\"prevRoot\"", "\"seq\"", "\"synced\"", "\"ts\"", "\"v\""}) {
        auto without = good;
        without.replace(without.find(name) + 1, 1, "X");
        EXPECT_EQ(parse_record(without).error().code, Errc::malformed) << without;
    }
    EXPECT_EQ(parse_record(std::string(limits::record_bytes_max + 1, ' ')).error().code, Errc::malformed);
}

TEST(Line, TheSignatureFollowsATab) {
    const std::string signature(92, 'A');
    EXPECT_EQ(split_line("{}")->signature, "");
    EXPECT_EQ(split_line("{}\t" + signature)->signature, signature);
    EXPECT_EQ(split_line("{}\t" + signature)->json, "{}");
    for (const auto& bad : {std::string{"{}\t"}, "{}\t" + signature + "A", "{}\t" + signature.substr(1),
                            "{}\t\t" + signature.substr(1), "{}\t" + std::string(92, '*')}) {
        EXPECT_EQ(split_line(bad).error().code, Errc::malformed) << bad;
    }
}

TEST(SegmentLines, EndAtZerosAndAtAnUnfinishedLine) {
    const std::string bytes{"one\ntwo\n\0\0three\n", 16};
    SegmentLines lines{bytes};
    EXPECT_EQ(lines.next(), "one");
    EXPECT_EQ(lines.next(), "two");
    EXPECT_FALSE(lines.next());
    EXPECT_EQ(lines.offset(), 8U);
    SegmentLines open_end{"one\ntwo"};
    EXPECT_EQ(open_end.next(), "one");
    EXPECT_FALSE(open_end.next());
}

TEST(SegmentLines, I13_ALineOverTheMaximumLengthIsNotRead) {
    const auto longest = std::string(line_bytes_max, 'x') + "\n";
    EXPECT_TRUE(SegmentLines{longest}.next());
    EXPECT_FALSE(SegmentLines{"x" + longest}.next());
}

TEST(Segment, NamesAreNumbersOfSixDigitsOrMore) {
    EXPECT_EQ(segment_name(0), "seg-000000.log");
    EXPECT_EQ(segment_name(999'999), "seg-999999.log");
    EXPECT_EQ(segment_name(1'000'000), "seg-1000000.log");
    fakes::MemoryFileSystem disk;
    for (const auto* name :
         {"d/seg-000000.log", "d/seg-000001.log", "d/seg-000001.log.new", "d/seg-1.log", "d/other"}) {
        disk.write(name, "");
    }
    EXPECT_EQ(*count_segments(disk, "d"), 2U);
    disk.write("d/seg-000003.log", "");
    EXPECT_EQ(count_segments(disk, "d").error().code, Errc::damaged);
}

}  // namespace
}  // namespace countersign::audit
