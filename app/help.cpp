// SPDX-License-Identifier: Apache-2.0
#include "app/help.hpp"

#include "app/commands/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "channels/terminal/width.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::app {
namespace {

constexpr std::size_t name_columns = 28;

// Each line in so many columns, broken at blanks. What begins with blanks is an example, and goes on as far in.
std::string broken(std::string_view text, std::size_t columns) {
    std::string lines;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!lines.empty()) lines += '\n';
        if (line.empty()) continue;
        const auto indent = line.substr(0, line.find_first_not_of(' '));
        bool first = true;
        for (const auto piece : channels::terminal::wrap(line.substr(indent.size()), columns - indent.size())) {
            if (!std::exchange(first, false)) lines += '\n';
            lines.append(indent).append(piece.substr(0, piece.find_last_not_of(' ') + 1));
        }
    }
    return lines;
}

class HelpFormat final : public CLI::Formatter {
public:
    HelpFormat() { column_width(name_columns); }

    // Which options go together is said by whoever uses them wrongly; here it would push the words off the line.
    std::string make_option_opts(const CLI::Option* option) const override {
        const auto text = CLI::Formatter::make_option_opts(option);
        return text.substr(0, std::min(text.find(" Needs:"), text.find(" Excludes:")));
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return broken(option->get_description(), help_columns - name_columns);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_display_name(true),
                                 broken(command->get_description(), help_columns - name_columns), name_columns);
        return out.str();
    }
    std::string make_description(const CLI::App* command) const override {
        return broken(CLI::Formatter::make_description(command), help_columns) + "\n";
    }
    std::string make_footer(const CLI::App* command) const override {
        const auto text = CLI::Formatter::make_footer(command);
        return text.empty() ? text : broken(text, help_columns) + "\n";
    }
};

// The command that the words lead to; nothing where one of them is none.
const CLI::App* command_named(const CLI::App& app, const std::vector<std::string>& words) {
    const auto* command = &app;
    for (const auto& word : words) {
        const auto found = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
        if (found.empty()) return nullptr;
        command = found.front();
    }
    return command;
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<HelpFormat>(); }

void add_help(CLI::App& app, int& exit_code) {
    auto* help = app.add_subcommand("help", "Print this, or what --help of another command prints");
    auto words = std::make_shared<std::vector<std::string>>();
    help->add_option("COMMAND", *words, "Such as: audit list");
    help->callback([&app, &exit_code, words] {
        const auto* command = command_named(app, *words);
        if (command == nullptr) {
            exit_code = usage_error("there is no command " + CLI::detail::join(*words, " ") +
                                    "; `countersign help` lists them");
            return;
        }
        // Not App::help(), which would go on to the command that was given: this one.
        auto name = app.get_name();
        for (const auto& word : *words) name += " " + word;
        show("{}", command->get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal));
    });
}

}  // namespace countersign::app
