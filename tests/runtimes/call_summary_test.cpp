// SPDX-License-Identifier: Apache-2.0
#include "runtimes/call_summary.hpp"

#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "core/request.hpp"
#include "runtimes/subject_display.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

using testing::HasSubstr;
using testing::Not;

// As it is stored in a request and in an `unasked` record.
std::string summary(std::string_view tool, const std::string& input) {
    const auto read = json::read(input);
    EXPECT_TRUE(read) << input;
    return summary_of(display_of_tool(tool, read->value, read->exact(), test_redactor()).summary);
}

struct Example {
    std::string_view tool;
    std::string input;
    std::string summary;
};

TEST(CallSummary, StartsWithTheMostImportantArgument) {
    const std::vector<Example> examples{
        {"Bash", R"({"command":"make all","timeout":60000,"description":"x"})", "make all"},
        {"shell", R"({"command":["bash","-lc","ls; rm x"]})", "bash -lc 'ls; rm x'"},
        {"Read", R"({"file_path":"/w/.env","limit":5})", "/w/.env"},
        {"Grep", R"({"pattern":"TODO","path":"src","output_mode":"content"})", "TODO in src"},
        {"Grep", R"({"output_mode":"content","pattern":"TODO"})", "TODO"},
        {"Glob", R"({"pattern":"**/*.pem"})", "**/*.pem"},
        {"Glob", R"({"path":"/etc","pattern":"*.pem"})", "*.pem in /etc"},
        {"LS", R"({"path":"/etc"})", "/etc"},
        {"Edit", R"({"new_string":"b","old_string":"a","file_path":"/w/a"})", "/w/a"},
        {"NotebookEdit", R"({"new_source":"x","notebook_path":"/w/n.ipynb"})", "/w/n.ipynb"},
        {"apply_patch", R"({"input":"*** Begin Patch\n*** Update File: a.c\n*** Add File: b.c\n+x\n*** End Patch"})",
         "a.c, b.c"},
        {"WebFetch", R"({"prompt":"what?","url":"https://example.com/a"})", "https://example.com/a"},
        {"WebSearch", R"({"query":"weather"})", "weather"},
        {"mcp__fs__move", R"({"source":"a","destination":"b"})", "a, b"},
        {"mcp__web__open", R"({"mode":"fast","url":"https://example.com"})", "https://example.com"},
        {"mcp__db__run", R"({"limit":3,"statement":"select 1","database":"shop"})", "select 1"},
        {"mcp__deep", R"({"a":{"b":[1,"found"]}})", "found"},
        {"Agent", R"({"description":"look around","prompt":"…"})", "look around"},
        {"mcp__numbers", R"({"id":7,"force":true})", R"({ "force": true, "id": 7 })"},
        {"mcp__nothing", R"({})", "{}"},
    };
    for (const auto& example : examples) {
        EXPECT_EQ(summary(example.tool, example.input), example.summary) << example.tool << example.input;
    }
}

TEST(CallSummary, I9_WithTwoPossibleReadingsBothAreShown) {
    EXPECT_EQ(summary("Read", R"({"file_path":"a","file_path":".env"})"),
              R"({ "file_path": "a", "file_path": ".env" })");
}

TEST(CallSummary, I6_ASecretIsMaskedBeforeTheLineIsTruncated) {
    const auto before = std::string(limits::record_summary_bytes_max - 8, 'x') + " ";
    for (const auto* tool : {"Bash", "mcp__x"}) {
        const auto made = summary(tool, R"({"command":")" + before + canary + R"("})");
        EXPECT_THAT(made, Not(HasSubstr(canary.substr(0, 6)))) << tool;
        EXPECT_THAT(made, HasSubstr("«")) << tool;
    }
}

TEST(CallSummary, IsOneLineWithoutInvisibleCharacters) {
    EXPECT_EQ(summary("Bash", R"({"command":"ls\nrm -rf /\u001b[2J"})"), "ls⏎rm -rf /\\u{1B}[2J");
    EXPECT_EQ(summary("Read", R"({"file_path":"a\u202eb"})"), "a\\u{202E}b");
}

TEST(CallSummary, I13_IsBounded) {
    const auto of = [](std::size_t bytes) {
        return summary("mcp__x", R"({"text":")" + std::string(bytes, 'y') + R"("})");
    };
    constexpr auto most = limits::record_summary_bytes_max;
    EXPECT_EQ(of(most), std::string(most, 'y'));
    EXPECT_EQ(of(most + 1), std::string(most, 'y') + " …");
    EXPECT_EQ(of(100 * most), std::string(most, 'y') + " …");
}

}  // namespace
}  // namespace countersign::runtimes
