// SPDX-License-Identifier: Apache-2.0
// Any bytes as an event: never a crash. An accepted event is printed and read back unchanged, shows nothing invisible,
// and can be answered.
#include "core/utf8.hpp"
#include "runtimes/event/translate.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace countersign;
using runtimes::event::Context;
using runtimes::event::Translated;

void require(bool holds) {
    if (!holds) std::abort();
}

const Context& context() {
    static const Rules rules;
    static const security::Redactor redactor{security::Secret{std::string_view{"a key of the tests alone"}}, {}};
    static const Context neutral{
        .agent_id = "", .runtime = "event", .session_key = "", .requester = "", .rules = rules, .redactor = redactor};
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

void check_strings(const Request& request) {
    check_shown(shown_text(request));
    check_shown(request.session_key);
    check_shown(request.cwd);
    check_shown(tool_name_of(request));
    for (const auto& sender : request.authorized_senders.value_or(std::vector<std::string>{})) check_shown(sender);
    if (const auto* approval = request.approval()) {
        if (const auto* tool = std::get_if<ToolUse>(&approval->subject)) check_shown(tool->tool_id);
        for (const auto& option : approval->options) {
            check_shown(option.option_id);
            check_shown(option.label);
            check_shown(option.detail);
        }
    } else {
        for (const auto& question : request.questionnaire()->questions) check_shown(question.question_id);
    }
}

void check_answer(const Translated& made) {
    Verdict verdict{.request_id = made.request.id,
                    .outcome = Outcome::expired,
                    .option_id = {},
                    .answers = {},
                    .reason = {},
                    .args_hash = made.request.args_hash.hex};
    require(resolution(made.raw, verdict).has_value());
    verdict.args_hash.clear();
    require(!resolution(made.raw, verdict).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line{reinterpret_cast<const char*>(data), size};
    const auto made = runtimes::event::translate(line, context());
    if (!made) {
        check_shown(made.error().detail);
        return 0;
    }
    check_strings(made->request);
    check_answer(*made);
    const auto printed = print_event(*made);
    if (printed.size() > limits::json_bytes_max) return 0;  // 1e20 prints longer than its source
    const auto again = runtimes::event::translate(printed, context());
    require(again.has_value() && *again == *made);
    return 0;
}
