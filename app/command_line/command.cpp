// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/command.hpp"

#include "app/command_line/verbatim.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace countersign::app {

Parameter& Parameter::required() {
    option_->required();
    return *this;
}

Parameter& Parameter::needs(const Parameter& other) {
    option_->needs(other.option_);
    return *this;
}

Parameter& Parameter::excludes(const Parameter& other) {
    option_->excludes(other.option_);
    return *this;
}

Parameter& Parameter::check(Check check) {
    option_->check(std::move(check));
    return *this;
}

Parameter& Parameter::one_of(const std::vector<std::string>& values) {
    option_->check(CLI::IsMember{values});
    return suggests(values);
}

Parameter& Parameter::suggests(const std::vector<std::string>& values) {
    (*choices_)[option_] = values;
    return *this;
}

Parameter& Parameter::not_empty() {
    return check([](const std::string& value) {
        return value.empty() ? std::string{"it is empty; leave it out, or give a value"} : std::string{};
    });
}

Parameter& Parameter::one_at_a_time() {
    option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return *this;
}

Parameter& Parameter::separated_by(char separator) {
    option_->delimiter(separator)->allow_extra_args(false);
    return *this;
}

Parameter& Parameter::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Parameter& Parameter::value_text(const std::string& text) {
    option_->option_text(text);
    return *this;
}

Parameter& Parameter::shows_default() {
    option_->capture_default_str();
    return *this;
}

bool Parameter::given() const { return option_->count() > 0; }

Command Command::subcommand(const std::string& name, const std::string& help) {
    auto* const below = app_->add_subcommand(name, help);
    below->footer("");  // CLI11 would repeat the footer of the command above
    return Command{*below, *exit_code_, *choices_};
}

void Command::needs_subcommand() { app_->require_subcommand(1); }

void Command::hide() { app_->group(""); }

Parameter Command::option(const std::string& name, std::string& value, const std::string& help) {
    return Parameter{*app_->add_option(name, value, help), *choices_};
}

Parameter Command::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
    return Parameter{*app_->add_option(name, value, help), *choices_};
}

Parameter Command::option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    auto* const option = app_->add_option(name, values, help);
    option->transform([](std::string word) { return as_written(std::move(word)); });
    return Parameter{*option, *choices_};
}

Parameter Command::option(const std::string& name, std::uint64_t& value, const std::string& help) {
    return Parameter{*app_->add_option(name, value, help), *choices_};
}

Parameter Command::option(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help) {
    return Parameter{*app_->add_option(name, value, help), *choices_};
}

Parameter Command::flag(const std::string& name, bool& value, const std::string& help) {
    return Parameter{*app_->add_flag(name, value, help), *choices_};
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::runs(std::function<int()> run) {
    app_->callback([run = std::move(run), exit_code = exit_code_] { *exit_code = run(); });
}

}  // namespace countersign::app
