// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace countersign::app {
namespace {

// Text as troff prints it literally. A minus stays a minus, so that an option can be copied from the page.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '\\':
            out += "\\e";
            break;
        case '-':
            out += "\\-";
            break;
        case '\'':
            out += "\\(aq";
            break;
        case '`':
            out += "\\(ga";
            break;
        case '^':
            out += "\\(ha";
            break;
        case '~':
            out += "\\(ti";
            break;
        default:
            out += c;
        }
    }
    // A line that begins with a dot would be a request to troff.
    return out.starts_with('.') ? "\\&" + out : out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string dashed(std::string_view path) {
    std::string name{path};
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string reference(std::string_view path) { return bold(dashed(path)) + "(1)"; }

std::string argument_of(const TableOption& argument) {
    const auto name = italic(argument.names.front()) + (argument.repeated ? " ..." : "");
    return argument.required ? name : "[" + name + "]";
}

// Takes lines of plain text and separates them into paragraphs, and examples in which each line stays a line.
class Body {
public:
    void add(std::string_view text) {
        while (!text.empty()) {
            const auto line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            add_line(line);
        }
        end_example();
    }
    [[nodiscard]] const std::string& source() const { return source_; }

private:
    void add_line(std::string_view line) {
        if (line.empty()) return end_example();
        if (!line.starts_with(' ')) {
            end_example();
            source_ += separator() + escaped(line) + "\n";
            return;
        }
        if (!in_example_) source_ += separator() + ".RS 4\n.nf\n";
        in_example_ = true;
        source_ += escaped(line.substr(std::min<std::size_t>(2, line.find_first_not_of(' ')))) + "\n";
    }
    // Not after the heading: mandoc warns of an empty paragraph there.
    [[nodiscard]] std::string separator() const { return source_.empty() ? "" : ".PP\n"; }
    void end_example() {
        if (in_example_) source_ += ".fi\n.RE\n";
        in_example_ = false;
    }

    std::string source_;
    bool in_example_ = false;
};

// Line breaks in the help of an option are for the terminal's columns.
std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::string synopsis(const TableEntry& entry) {
    auto line = bold(entry.path) + " [" + italic("OPTIONS") + "]";
    for (const auto& argument : entry.command->arguments) line += " " + argument_of(argument);
    if (!entry.command->subcommands.empty()) line += " " + italic("COMMAND");
    return ".SH SYNOPSIS\n" + line + "\n";
}

std::string row(const TableOption& option, bool argument) {
    std::string names;
    for (const auto& name : option.names) {
        names += (names.empty() ? "" : ", ") + (argument ? italic(name) : bold(name));
    }
    if (!argument && !option.value.empty()) names += " " + italic(option.value);
    auto help = one_line(option.help);
    if (!option.choices.empty()) help += fmt::format(" [one of: {}]", fmt::join(option.choices, ", "));
    if (!option.default_value.empty()) help += " [default: " + option.default_value + "]";
    if (option.repeated && !argument) help += " [may be repeated]";
    if (option.required) help += " [required]";
    return ".TP\n" + names + "\n" + escaped(help) + "\n";
}

std::string rows(std::string_view title, const std::vector<TableOption>& options, bool arguments) {
    if (options.empty()) return {};
    std::string section = fmt::format(".SH {}\n", title);
    for (const auto& option : options) section += row(option, arguments);
    return section;
}

std::string subcommands(const TableEntry& entry) {
    if (entry.command->subcommands.empty()) return {};
    std::string section = ".SH COMMANDS\n";
    for (const auto& below : entry.command->subcommands) {
        section += ".TP\n" + reference(entry.path + " " + below.name) + "\n" + escaped(one_line(below.help)) + "\n";
    }
    return section;
}

std::string see_also(std::string_view path) {
    const auto above = path.substr(0, path.rfind(' '));
    if (above == path) return {};
    const auto program = path.substr(0, path.find(' '));
    auto pages = reference(program);
    if (above != program) pages += ", " + reference(above);
    return ".SH SEE ALSO\n" + pages + "\n";
}

}  // namespace

std::string man_page_name(std::string_view path) { return dashed(path) + ".1"; }

std::string man_page(const TableEntry& entry, std::string_view release) {
    auto title = dashed(entry.path);
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    Body body;
    const auto& help = entry.command->help;
    body.add(help.ends_with('.') ? help : help + ".");
    body.add(entry.command->footer);
    return fmt::format(".TH {} 1 \"\" \"{}\" \"Countersign Manual\"\n.SH NAME\n{} \\- {}\n", escaped(title),
                       escaped(release), escaped(dashed(entry.path)), escaped(summary(entry.command->help))) +
           synopsis(entry) + ".SH DESCRIPTION\n" + body.source() + subcommands(entry) +
           rows("ARGUMENTS", entry.command->arguments, true) + rows("OPTIONS", entry.command->options, false) +
           see_also(entry.path);
}

}  // namespace countersign::app
