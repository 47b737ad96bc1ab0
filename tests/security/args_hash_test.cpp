// SPDX-License-Identifier: Apache-2.0
#include "security/args_hash.hpp"

#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <gtest/gtest.h>
#include <set>

namespace countersign::security {
namespace {

// The layout, written out a second time on purpose: changing it would invalidate every hash in every log.
std::string sized(std::string_view part) {
    std::string text(4, '\0');
    for (std::size_t i = 0; i < 4; ++i) text[i] = static_cast<char>(part.size() >> (8 * (3 - i)));
    return text + std::string{part};
}
std::string framed(std::string_view tag, std::string_view first, std::string_view second) {
    return hex(sha256(std::string{tag} + '\0' + sized(first) + sized(second)));
}

ArgsHash hash_of(std::string_view json, std::string_view tool = "Bash") {
    const auto hash = args_hash(tool, json);
    EXPECT_TRUE(hash) << json.substr(0, 100) << ": " << (hash ? "" : describe(hash.error()));
    return hash ? *hash : ArgsHash{};
}

TEST(ArgsHash, I9_IsOverTagToolAndCanonicalForm) {
    const auto hash = hash_of("{ \"b\": 1.0, \"a\": \"\\u00e9\" }");
    EXPECT_EQ(hash.hex, framed("approval-args/v1", "Bash", "{\"a\":\"é\",\"b\":1}"));
    EXPECT_TRUE(hash.canonical);
    EXPECT_FALSE(hash.partial);
}

// Computed with another implementation of SHA-256, so that the layout is pinned by something outside this program.
TEST(ArgsHash, I9_HasItsKnownValue) {
    EXPECT_EQ(hash_of("{\"command\":\"ls\"}").hex, "5d60d4e87590007d631212b7a8d7270c3a55d31dd7ffe8a1b8eac8f34e05a9de");
    EXPECT_EQ(hash_of("[9007199254740993]").hex, "ea23b94f80b8a842ef8f60fc417e052985fc0f69dd6727b314ef758c1046c22c");
    EXPECT_EQ(args_hash_shell({"ls", "-l"}, "/tmp")->hex,
              "c5a607b8c6144105a26610cccd21244383d11fcd866e874483271e960a7ab25b");
    EXPECT_EQ(display_hash("rm -rf /"), "5c7923bd67b06c93279d49c466301c57023822eec29c49e269063e47aecd973c");
    EXPECT_EQ(native_key("claude", "s1", "toolu_1"),
              "86b1679ce56262dfbf93fa43688d517657bd3368d58aa2aaa6cbcda9627ed9f9");
}

TEST(ArgsHash, I9_SpellingDoesNotMatter) {
    const auto hash = hash_of(R"({"a":[1,100,"x/y"],"b":null})");
    EXPECT_EQ(hash_of("{\"b\" : null,\n\"a\":[1.0,1e2,\"\\u0078\\/y\"]}"), hash);
}

TEST(ArgsHash, I9_DifferentCallsHaveDifferentHashes) {
    std::set<std::string> seen;
    for (const auto* json :
         {"{}", "[]", "null", "0", "\"\"", "\"0\"", R"({"a":1})", R"({"a":"1"})", R"({"a":2})", R"({"A":1})",
          R"({"a":1,"b":1})", R"({"a":{"b":1}})", R"("a ")", R"("a")", R"("é")", R"("e\u0301")"}) {
        EXPECT_TRUE(seen.insert(hash_of(json).hex).second) << json;
        EXPECT_TRUE(seen.insert(hash_of(json, "Edit").hex).second) << json;
    }
}

TEST(ArgsHash, I9_TheBorderBetweenToolAndArgumentsMatters) {
    EXPECT_NE(hash_of("12", "x"), hash_of("2", "x1"));
    EXPECT_NE(native_key("a", "bc", "d"), native_key("ab", "c", "d"));
    EXPECT_NE(native_key("a", "b", ""), native_key("a", "", "b"));
}

// Each pair consists of two different calls with the same canonical form.
TEST(ArgsHash, I9_ALossyFormIsHashedRaw) {
    const std::pair<std::string_view, std::string_view> pairs[] = {
        {"9007199254740993", "9007199254740992"},
        {R"({"a":1,"a":2})", R"({"a":2})"},
        {R"(["\ud800"])", R"(["\ud801"])"},
        {R"({"\udc00":1})", R"({"\ufffd":1})"},
        {"333333333.33333329", "333333333.3333333"},
        {"1e400", "null"},
        {"1e-400", "0"},
    };
    for (const auto& [lossy, other] : pairs) {
        const auto hash = hash_of(lossy);
        EXPECT_FALSE(hash.canonical) << lossy;
        EXPECT_EQ(hash.hex, framed("approval-args-raw/v1", "Bash", lossy));
        EXPECT_NE(hash.hex, hash_of(other).hex) << lossy;
        EXPECT_NE(hash_of(' ' + std::string{lossy}).hex, hash.hex) << "raw is raw";
    }
}

TEST(ArgsHash, I13_TooDeepIsHashedRaw) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(hash_of(nested(limits::json_depth_max)).canonical);
    const auto deep = nested(limits::json_depth_max + 1);
    EXPECT_EQ(hash_of(deep), (ArgsHash{.hex = framed("approval-args-raw/v1", "Bash", deep)}));
}

TEST(ArgsHash, I13_TooLargeIsHashedRaw) {
    const auto sized_text = [](std::size_t bytes) { return '"' + std::string(bytes - 2, 'x') + '"'; };
    EXPECT_TRUE(hash_of(sized_text(limits::json_bytes_max)).canonical);
    const auto large = sized_text(limits::json_bytes_max + 1);
    EXPECT_EQ(hash_of(large), (ArgsHash{.hex = framed("approval-args-raw/v1", "Bash", large)}));
}

TEST(ArgsHash, I2_InvalidJsonHasNoHash) {
    for (const auto* json : {"", "{", "{\"a\":1}x", "\"\xff\"", "[1,]"}) {
        EXPECT_EQ(args_hash("Bash", json).error().code, Errc::malformed) << json;
    }
}

TEST(ArgsHash, AShellCommandIsHashedAsAnObjectOfItsGivenParts) {
    const auto is = [](const Result<ArgsHash>& hash, std::string_view canonical) {
        EXPECT_TRUE(hash->canonical);
        EXPECT_EQ(hash->hex, framed("approval-args/v1", "shell", canonical));
    };
    is(args_hash_shell({"ls", "-l"}, std::nullopt), R"({"argv":["ls","-l"]})");
    is(args_hash_shell({"ls", "-l"}, "/tmp"), R"({"argv":["ls","-l"],"cwd":"/tmp"})");
    is(args_hash_shell({}, ""), R"({"argv":[],"cwd":""})");
    is(args_hash_shell({"a\n\"b"}, std::nullopt, {{"Z", "1"}, {"A", "2"}}),
       R"({"argv":["a\n\"b"],"env":{"A":"2","Z":"1"}})");
    EXPECT_EQ(*args_hash_shell({"ls"}, "/tmp"), hash_of(R"({"cwd":"/tmp","argv":["ls"]})", "shell"));
}

TEST(ArgsHash, AShellCommandThatIsNotUtf8HasNoHash) {
    EXPECT_EQ(args_hash_shell({"ls", "\xff"}, std::nullopt).error().code, Errc::malformed);
    EXPECT_EQ(args_hash_shell({"ls"}, "/\xff").error().code, Errc::malformed);
    EXPECT_EQ(args_hash_shell({"ls"}, "/", {{"A", "\xff"}}).error().code, Errc::malformed);
    EXPECT_EQ(args_hash_shell({"ls"}, "/", {{"\xff", "A"}}).error().code, Errc::malformed);
}

TEST(ArgsHash, DisplayHashCoversEveryByteOfTheText) {
    EXPECT_EQ(display_hash("x"), hex(sha256("x")));
    EXPECT_NE(display_hash("ls"), display_hash("ls "));
    EXPECT_NE(display_hash(""), display_hash(std::string_view{"\0", 1}));
}

}  // namespace
}  // namespace countersign::security
