// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line from Claude Code: never a crash. Each request that waits gets an answer that is one line of JSON.
// A permission request shows nothing invisible, and its allow contains exactly the same input.
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "runtimes/claude/outgoing.hpp"
#include "runtimes/claude/translate.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::runtimes::claude;

void require(bool holds) {
    if (!holds) std::abort();
}

const Context& context() {
    static const Rules rules;
    static const security::Redactor redactor{security::Secret{std::string_view{"a key of the tests alone"}}, {}};
    static const Context neutral{.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
                                 .agent_id = "dev",
                                 .session_key = "s",
                                 .requester = "",
                                 .cwd = "/w",
                                 .always = AlwaysMode::grant,
                                 .rules = rules,
                                 .redactor = redactor};
    return neutral;
}

bool forbidden(char32_t c) {
    return (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xe0000 && c <= 0xe007f);
}

void check_shown(std::string_view text) {
    while (!text.empty()) {
        const auto point = utf8::decode(text);
        require(point && !forbidden(point->value));
        text.remove_prefix(point->length);
    }
}

void check_line(const std::string& line) {
    require(line.find_first_of("\r\n") == std::string::npos);
    require(line.size() > limits::json_bytes_max || json::read(line).has_value());
}

void check_options(const Translated& made) {
    const auto* approval = made.request.approval();
    if (approval == nullptr) return;
    require(!approval->options.empty() && approval->options.size() == made.raw.options.size());
    for (const auto& option : approval->options) {
        check_shown(option.label);
        check_shown(option.detail);
        require(option.label.size() <= limits::option_label_chars_max);
        Verdict verdict{.request_id = made.request.id, .outcome = Outcome::allowed, .option_id = option.option_id};
        verdict.args_hash = made.request.args_hash.hex;
        const auto line = resolution(made.raw, verdict);
        require(line.has_value() == (option.effect == Effect::allow));
        if (line) check_line(*line);
    }
}

void check_call(const CanUseTool& call) {
    check_line(deny_line(call.native_id, call.tool_name));
    const auto made = translate(call, context());
    if (!made) return check_shown(made.error().detail);
    check_shown(shown_text(made->request));
    require(made->raw.raw_input == call.raw_input);
    check_options(*made);
    Verdict verdict{.request_id = made->request.id, .outcome = Outcome::expired};
    verdict.args_hash = made->request.args_hash.hex;
    const auto line = resolution(made->raw, verdict);
    require(line.has_value());
    check_line(*line);
    verdict.args_hash.clear();
    require(!resolution(made->raw, verdict).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line{reinterpret_cast<const char*>(data), size};
    const auto message = read_message(line);
    if (const auto* call = std::get_if<CanUseTool>(&message)) check_call(*call);
    if (const auto* other = std::get_if<OtherRequest>(&message))
        check_line(error_line(other->native_id, other->subtype));
    if (const auto* bad = std::get_if<Unreadable>(&message)) {
        check_shown(bad->why.detail);
        if (!bad->native_id.empty()) check_line(error_line(bad->native_id, bad->why.detail));
    }
    const auto head = read_head(line.substr(0, limits::agent_line_head_bytes_max), size);
    if (const auto* bad = std::get_if<Unreadable>(&head); bad != nullptr && !bad->native_id.empty()) {
        check_line(error_line(bad->native_id, bad->why.detail));
    }
    return 0;
}
