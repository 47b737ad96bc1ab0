// SPDX-License-Identifier: Apache-2.0
#include "core/request.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

Request approval(Subject subject) {
    Request request;
    request.cwd = "/w";
    request.body = Approval{.subject = std::move(subject),
                            .display_text = "ls\nuname",
                            .diff = "-a\n+b",
                            .untrusted_reason = "it is safe",
                            .options = {}};
    return request;
}

TEST(Request, RecordsNameTheTool) {
    EXPECT_EQ(tool_name_of(approval(ToolUse{"Bash", "t"})), "Bash");
    EXPECT_EQ(tool_name_of(approval(ShellExec{})), "shell");
    Request question;
    question.body = Questionnaire{};
    EXPECT_EQ(tool_name_of(question), "question");
}

TEST(Request, TheSummaryIsOneLineAndSummarisingItAgainChangesNothing) {
    auto request = approval(ToolUse{"Bash", "t"});
    EXPECT_EQ(summary_of(request), "ls⏎uname");
    std::get<Approval>(request.body).summary = "a\nb";
    EXPECT_EQ(summary_of(request), "a⏎b");
    Request question;
    question.body = Questionnaire{};
    EXPECT_EQ(summary_of(question), "");
    constexpr auto most = limits::record_summary_bytes_max;
    for (const auto& text : {std::string(most - 1, 'y') + "é", std::string(most - 2, 'y') + "€€",
                             std::string(most, '\n'), std::string(3 * most, 'y'), std::string(most, 'y')}) {
        const auto once = summary_of(text);
        EXPECT_EQ(summary_of(once), once);
        EXPECT_LE(once.size(), most + std::string_view{" …"}.size());
        EXPECT_EQ(once.ends_with(" …"), text.size() > most || text.front() == '\n') << text;
    }
}

TEST(Request, TheShownTextContainsEverythingAboutACall) {
    EXPECT_EQ(shown_text(approval(ToolUse{"Bash", "t"})), "tool:\n    Bash\n"
                                                          "working directory:\n    /w\n"
                                                          "call:\n    ls\n    uname\n"
                                                          "change:\n    -a\n    +b\n"
                                                          "the agent's own words, not verified:\n    it is safe\n");
    EXPECT_EQ(shown_text(approval(ShellExec{})).substr(0, 41), "tool:\n    shell command\nworking directory");
}

TEST(Request, I13_TheLongestShownTextFitsALongTextFile) {
    auto request = approval(ToolUse{std::string(limits::tool_name_bytes_max, '\n'), "t"});
    request.cwd = std::string(limits::cwd_bytes_max, '\n');
    auto& shown = std::get<Approval>(request.body);
    for (auto* text : {&shown.display_text, &shown.diff, &shown.untrusted_reason}) {
        *text = std::string(limits::display_text_bytes_max, '\n');  // each line is indented
    }
    EXPECT_LE(shown_text(request).size(), limits::record_text_bytes_max);
    EXPECT_GT(shown_text(request).size(), limits::display_text_bytes_max * 10);
    EXPECT_LE(limits::config_bytes_max, limits::record_text_bytes_max);
}

TEST(Request, NoTextOfAnAgentLooksLikeATitle) {
    auto request = approval(ToolUse{"Bash", "t"});
    std::get<Approval>(request.body).display_text = "ls\nchange:\n    nothing";
    const auto text = shown_text(request);
    EXPECT_NE(text.find("\n    change:\n        nothing\n"), text.npos);
    EXPECT_EQ(text.find("\nchange:"), text.rfind("\nchange:"));
}

TEST(Request, TheShownTextOfQuestionsContainsEveryChoice) {
    Request request;
    request.body = Questionnaire{{{.question_id = "q",
                                   .text = "Which?",
                                   .choices = {{"Red", "warm"}, {"Blue", ""}},
                                   .multiple = true,
                                   .free_text = true,
                                   .secret = false,
                                   .required = false}}};
    EXPECT_EQ(shown_text(request), "question 1 (optional, any number of choices, free text):\n    Which?\n"
                                   "choice 1:\n    Red\nchoice 1 explained:\n    warm\nchoice 2:\n    Blue\n");
}

}  // namespace
}  // namespace countersign
