// SPDX-License-Identifier: Apache-2.0
// Any bytes as typed text: never a crash. A command is read back the same from its plain spelling, text that doesn't
// start with a verb is never a command, and no text picks an option that its verb doesn't mean. An order is never a
// decision: its target is the rest of the text, and it has no code.
#include "channels/commands.hpp"
#include "core/limits.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::channels;

void require(bool holds) {
    if (!holds) std::abort();
}

const std::vector<Option>& offered() {
    static const std::vector<Option> options{
        {.option_id = "allow", .label = "Allow once", .effect = Effect::allow},
        {.option_id = "always", .label = "Always", .effect = Effect::allow, .scope = Scope::always},
        {.option_id = "odd", .label = "Odd", .effect = Effect::allow, .scope = Scope::always, .known = false},
        {.option_id = "deny", .label = "Deny", .effect = Effect::deny}};
    return options;
}

void check_option(const Command& command) {
    const auto option = option_for(command, offered());
    if (!option) return;
    require(command.verb != Verb::deny || option->effect == Effect::deny);
    require(command.verb == Verb::deny || option->effect == Effect::allow);
    require(command.verb != Verb::session);
    require(command.verb != Verb::approve || !command.rest.empty() || option->option_id == "allow");
    require(command.verb != Verb::always || option->option_id == "always");
    require(command.verb == Verb::approve || command.verb == Verb::deny || command.verb == Verb::always);
}

// Which verbs take an id; no other verb may have one.
void check_id(const Command& command) {
    switch (command.verb) {
    case Verb::approve:
    case Verb::deny:
    case Verb::always:
    case Verb::session:
    case Verb::answer:
    case Verb::more:
    case Verb::revoke:
        return require(command.id.typed.find_first_of(" \t\r\n") == std::string::npos);
    case Verb::pending:
    case Verb::help:
    case Verb::start:
    case Verb::grants:
    case Verb::halt:
    case Verb::resume:
    case Verb::unavailable:
    case Verb::unknown:
        return require(command.id == TypedId{});
    }
    std::abort();  // a verb that isn't in the list
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto strict = parse_command(text, {.bare_words = false, .bot_name = "countersign_bot"});
    const auto command = parse_command(text, {.bare_words = true, .bot_name = "countersign_bot"});
    require(!strict || strict == command);
    if (!command) return 0;
    require(size <= limits::command_bytes_max);
    require(command->id.ulid.has_value() + !command->id.code.empty() <= 1);
    check_option(*command);
    check_id(*command);
    if (command->verb == Verb::unknown) return 0;  // only in a direct message to us
    auto plain = "/" + command->word;
    if (!command->id.typed.empty()) plain += " " + command->id.typed;
    if (!command->rest.empty()) plain += " " + command->rest;
    if (plain.size() > limits::command_bytes_max) return 0;
    require(parse_command(plain, {.bare_words = false, .bot_name = ""}) == command);
    return 0;
}
