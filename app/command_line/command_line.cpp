// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/command_line.hpp"

#include "app/command_line/paragraphs.hpp"
#include "app/command_line/verbatim.hpp"
#include "app/output.hpp"
#include "app/report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace countersign::app {
namespace {

// The width of the narrowest common terminal.
constexpr std::size_t help_columns = 80;
constexpr std::size_t name_columns = 28;

class HelpFormat final : public CLI::Formatter {
public:
    HelpFormat() { column_width(name_columns); }

    // CLI11 lists here which options need or exclude each other. That pushes the help text off the line, and the error
    // message says it anyway.
    std::string make_option_opts(const CLI::Option* option) const override {
        const auto text = CLI::Formatter::make_option_opts(option);
        return text.substr(0, std::min(text.find(" Needs:"), text.find(" Excludes:")));
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return paragraphs(option->get_description(), help_columns - name_columns);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_display_name(true),
                                 paragraphs(command->get_description(), help_columns - name_columns), name_columns);
        return out.str();
    }
    std::string make_description(const CLI::App* command) const override {
        return paragraphs(CLI::Formatter::make_description(command), help_columns) + "\n";
    }
    std::string make_footer(const CLI::App* command) const override {
        const auto text = CLI::Formatter::make_footer(command);
        return text.empty() ? text : paragraphs(text, help_columns) + "\n";
    }
};

// The deepest command that was given, and its full name.
struct Given {
    const CLI::App* command;
    std::string name;
};
Given given_command(const CLI::App& app) {
    Given given{.command = &app, .name = {}};
    for (auto below = app.get_subcommands(); !below.empty(); below = given.command->get_subcommands()) {
        given.command = below.front();
        given.name += (given.name.empty() ? "" : " ") + given.command->get_name();
    }
    return given;
}

// The first word that looks like an option and isn't one.
std::optional<CommandLine::Unknown> unknown_option(const CLI::App& app) {
    const auto unread = app.remaining(true);
    const auto word = std::ranges::find_if(unread, [](const auto& one) { return one.size() > 1 && one[0] == '-'; });
    if (word == unread.end() || *word == "--") return std::nullopt;
    const auto given = given_command(app);
    CommandLine::Unknown unknown{.word = word->substr(0, word->find('=')), .above = given.name, .names = {}};
    unknown.option = true;
    for (const auto* option : given.command->get_options()) {
        for (const auto& name : option->get_lnames()) unknown.names.push_back("--" + name);
        for (const auto& name : option->get_snames()) unknown.names.push_back("-" + name);
    }
    return unknown;
}

// The word where a command should be; nothing if the line simply ends there, or if an option is wrong.
std::optional<CommandLine::Unknown> unknown_command(const CLI::App& app) {
    const auto unread = app.remaining(true);
    if (unread.empty() || unread.front().starts_with('-')) return std::nullopt;
    const auto begun = app.get_subcommands();
    CommandLine::Unknown unknown{.word = unread.front(), .above = {}, .names = {}};
    if (!begun.empty()) unknown.above = begun.front()->get_name();
    const auto* above = begun.empty() ? &app : begun.front();
    for (const auto* command : above->get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) unknown.names.push_back(command->get_name());
    }
    return unknown;
}

bool is_hidden(const std::string& group) { return group.empty(); }

std::string value_of(const CLI::Option& option, const std::vector<std::string>& choices) {
    if (!option.get_option_text().empty()) return option.get_option_text();
    if (option.get_type_size() == 0) return {};
    // CLI11 says "TEXT:{en,de}" where the choices are checked.
    const auto type = option.get_type_name();
    const auto name = type.substr(0, type.find(':'));
    return name == "TEXT" && !choices.empty() ? fmt::format("{}", fmt::join(choices, "|")) : name;
}

TableOption row_of(const CLI::Option& option, const Choices& choices) {
    TableOption row{.help = option.get_description(), .default_value = option.get_default_str()};
    if (const auto listed = choices.find(&option); listed != choices.end()) row.choices = listed->second;
    row.value = value_of(option, row.choices);
    row.required = option.get_required();
    row.repeated = option.get_expected_max() == CLI::detail::expected_max_vector_size ||
                   (option.get_type_size() != 0 && option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
    if (option.get_positional()) {
        row.names.push_back(option.get_name(true, false));
    } else {
        for (const auto& name : option.get_snames()) row.names.push_back("-" + name);
        for (const auto& name : option.get_lnames()) row.names.push_back("--" + name);
    }
    return row;
}

TableCommand table_of(const CLI::App& app, const Choices& choices) {
    TableCommand command{.name = app.get_name(), .help = app.get_description(), .footer = app.get_footer()};
    for (const auto* option : app.get_options()) {
        if (is_hidden(option->get_group())) continue;
        (option->get_positional() ? command.arguments : command.options).push_back(row_of(*option, choices));
    }
    for (const auto* below : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!is_hidden(below->get_group())) command.subcommands.push_back(table_of(*below, choices));
    }
    return command;
}

}  // namespace

CommandLine::CommandLine(const Program& program) : app_{std::make_unique<CLI::App>(program.help, program.name)} {
    app_->set_version_flag("-V,-v,--version", program.version);
    app_->require_subcommand(1);
    // Commands added to the program inherit this.
    app_->formatter(std::make_shared<HelpFormat>());
    app_->footer(program.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::program() { return Command{*app_, exit_code_, choices_}; }

int CommandLine::run(int argc, const char* const* argv, const std::function<void(const Unknown&)>& explain) {
    const auto words = marked(argc, argv);
    std::vector<const char*> pointers;
    for (const auto& word : words) pointers.push_back(word.c_str());
    try {
        app_->parse(argc, pointers.data());
        ran_ = true;
        return exit_code_;
    } catch (const CLI::RequiredError& error) {
        // CLI11 reports an unknown command as a missing one.
        if (const auto unknown = unknown_command(*app_)) {
            explain(*unknown);
        } else if (const auto option = unknown_option(*app_)) {
            explain(*option);
        } else if (app_->remaining(true).empty() && app_->get_subcommands().empty()) {
            tell("{}", app_->help());
        } else {
            (void)app_->exit(error);
        }
        return exit_usage;
    } catch (const CLI::ExtrasError& error) {
        const auto unknown = unknown_option(*app_);
        if (!unknown) return (void)app_->exit(error), exit_usage;
        explain(*unknown);
        return exit_usage;
    } catch (const CLI::ParseError& error) {
        return app_->exit(error) == 0 ? exit_holds : exit_usage;
    }
}

TableCommand CommandLine::table() const { return table_of(*app_, choices_); }

bool CommandLine::ran(const std::string& command) const { return ran_ && app_->got_subcommand(command); }

std::optional<std::string> CommandLine::help_page(const std::vector<std::string>& words) const {
    const CLI::App* command = app_.get();
    auto name = app_->get_name();
    for (const auto& word : words) {
        const auto found = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
        if (found.empty()) return std::nullopt;
        command = found.front();
        name += " " + word;
    }
    // App::help() would print the help of the command that was given instead of this one.
    return command->get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal);
}

}  // namespace countersign::app
