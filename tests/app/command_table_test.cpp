// SPDX-License-Identifier: Apache-2.0
// What is made from the command table: manual pages and completion scripts, with texts that need quoting.
#include "app/command_line/command_line.hpp"
#include "app/command_line/completion.hpp"
#include "app/command_line/man_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CommandTable : public testing::Test {
protected:
    CommandTable() {
        auto brew = line.program().subcommand("brew", "Make tea. It's hot");
        brew.option("-k,--kind", kind, "What's in it").one_of({"green", "black"}).required();
        brew.option("--state", state, "The kitchen").type_name("DIR");
        brew.option("--cups", cups, "How many").shows_default();
        brew.flag("--quiet", quiet, "No\nnoise");
        brew.option("LEAVES.json", leaves, "The leaves");
        brew.footer(".dot and \\ backslash\n\n  brew --kind green\n    | cat");
        line.program().subcommand("secret", "").hide();
    }
    CommandLine line{{.name = "countersign", .help = "A test", .version = "1", .footer = {}}};
    std::string kind, state, leaves;
    std::uint64_t cups = 2;
    bool quiet = false;
};

TEST_F(CommandTable, HasEachCommandOptionAndArgument) {
    const auto program = line.table();
    const auto entries = each_command(program);
    ASSERT_EQ(entries.size(), 2U) << "the hidden command isn't in it";
    EXPECT_EQ(entries[1].path, "countersign brew");
    const auto& brew = *entries[1].command;
    ASSERT_EQ(brew.options.size(), 5U);
    EXPECT_THAT(brew.options[0].names, ElementsAre("-h", "--help"));
    EXPECT_EQ(brew.options[0].value, "");
    EXPECT_THAT(brew.options[1].names, ElementsAre("-k", "--kind"));
    EXPECT_EQ(brew.options[1].value, "green|black");
    EXPECT_THAT(brew.options[1].choices, ElementsAre("green", "black"));
    EXPECT_TRUE(brew.options[1].required);
    EXPECT_EQ(brew.options[3].default_value, "2");
    ASSERT_EQ(brew.arguments.size(), 1U);
    EXPECT_THAT(brew.arguments[0].names, ElementsAre("LEAVES.json"));
    EXPECT_FALSE(brew.arguments[0].required);
}

TEST_F(CommandTable, AValueIsCompletedByItsKind) {
    const auto program = line.table();
    const auto& brew = program.subcommands.front();
    EXPECT_EQ(offer_for(brew.options[1]), Offer::choices);
    EXPECT_EQ(offer_for(brew.options[2]), Offer::directories);
    EXPECT_EQ(offer_for(brew.options[3]), Offer::nothing) << "a number";
    EXPECT_EQ(offer_for(brew.arguments[0]), Offer::files);
}

TEST_F(CommandTable, AManualPageQuotesWhatTroffWouldInterpret) {
    const auto program = line.table();
    const auto page = man_page(each_command(program)[1], "countersign 1");
    EXPECT_THAT(page, HasSubstr(".SH NAME\ncountersign\\-brew \\- Make tea\n"));
    EXPECT_THAT(page, HasSubstr(".SH DESCRIPTION\nMake tea. It\\(aqs hot.\n.PP\n\\&.dot and \\e backslash\n"));
    EXPECT_THAT(page, HasSubstr(".RS 4\n.nf\nbrew \\-\\-kind green\n  | cat\n.fi\n.RE\n"));
    EXPECT_THAT(page, HasSubstr("\\fB\\-k\\fR, \\fB\\-\\-kind\\fR \\fIgreen|black\\fR\n"));
    EXPECT_THAT(page, HasSubstr("How many [default: 2]\n"));
    EXPECT_THAT(page, HasSubstr("No noise\n")) << "line breaks are for the help page";
    EXPECT_EQ(man_page_name("countersign brew"), "countersign-brew.1");
}

TEST_F(CommandTable, AScriptQuotesWhatAShellWouldInterpret) {
    const auto program = line.table();
    EXPECT_THAT(zsh_completion(program), HasSubstr("'--kind:What'\\''s in it'"));
    EXPECT_THAT(fish_completion(program), HasSubstr("-s k -l kind -x -a 'green black' -d 'What\\'s in it'"));
    for (const auto& shell : completion_shells()) {
        EXPECT_THAT(*completion_for(shell, program), AllOf(HasSubstr("brew"), Not(HasSubstr("secret")))) << shell;
    }
    EXPECT_EQ(completion_for("tcsh", program), std::nullopt);
}

TEST(Summary, IsTheFirstSentenceOfTheFirstLine) {
    EXPECT_EQ(summary("Make tea. It's hot."), "Make tea");
    EXPECT_EQ(summary("Make tea.\nNow"), "Make tea");
    EXPECT_EQ(summary("See RFC 8785, e.g.x"), "See RFC 8785, e.g.x");
    EXPECT_THAT(std::string{summary("")}, IsEmpty());
}

}  // namespace
}  // namespace countersign::app
