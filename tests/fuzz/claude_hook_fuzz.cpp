// SPDX-License-Identifier: Apache-2.0
// Any bytes as an event for a hook, and as a settings file: never a crash. What a hook prints is one line of JSON, and
// edited settings are JSON that a second edit leaves alone.
#include "core/json/read.hpp"
#include "runtimes/claude/hook_event.hpp"
#include "runtimes/claude/hook_settings.hpp"
#include "runtimes/claude/translate.hpp"
#include "runtimes/claude/waiting_hooks.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::runtimes::claude;

void require(bool holds) {
    if (!holds) std::abort();
}

void check_printed(const PermissionAsked& asked) {
    static const Rules rules;
    static const security::Redactor redactor{security::Secret{std::string_view{"a key of the tests alone"}}, {}};
    const Context context{.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
                          .agent_id = "dev",
                          .session_key = asked.session_id,
                          .requester = "",
                          .cwd = "/w",
                          .always = AlwaysMode::native,
                          .rules = rules,
                          .redactor = redactor};
    auto call = asked.tool;
    call.native_id = "\"1\"";
    const auto made = translate(call, context);
    if (!made) return;
    for (const auto& option : made->raw.options) {
        Verdict verdict{.request_id = made->request.id, .outcome = Outcome::allowed, .option_id = option.option_id};
        verdict.args_hash = made->request.args_hash.hex;
        const auto line = hook_output(made->raw, verdict, false);
        require(line.has_value() == (option.effect == Effect::allow));
        if (!line) continue;
        require(line->find_first_of("\r\n") == std::string::npos);
        require(line->size() > limits::json_bytes_max || json::read(*line).has_value());
    }
}

void check_name(const HookAgent& agent, const std::string& call) {
    const WaitingCall waiting{.agent = agent, .call = call, .id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"};
    require(waiting_call_of(file_name(waiting)) == waiting);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    if (const auto event = read_hook_event(text)) {
        if (const auto* asked = std::get_if<PermissionAsked>(&*event)) {
            check_printed(*asked);
            check_name(asked->agent, asked->call);
        }
        if (const auto* ended = std::get_if<CallsEnded>(&*event)) {
            for (const auto& call : ended->calls) check_name(ended->agent, call);
        }
    }
    const HookInstallation wanted{.command = "countersign hook claude --default-mode --ask-everything",
                                  .unattended = true,
                                  .default_mode = true,
                                  .ask_everything = true};
    if (const auto edited = with_hook(text, wanted)) {
        require(json::read(*edited, limits::json_bytes_max * 2).has_value());
        const auto again = with_hook(*edited, wanted);
        require(!again || *again == *edited);
        const auto without = without_hook(*edited, text);
        require(!without || json::read(*without, limits::json_bytes_max * 2).has_value());
    }
    (void)waiting_call_of(text);
    return 0;
}
