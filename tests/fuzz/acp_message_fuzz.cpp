// SPDX-License-Identifier: Apache-2.0
// Any bytes as a message from an ACP agent: never a crash. Each request that waits gets an answer that is one line of
// JSON. An approval shows nothing invisible, needs the hash of what was shown, and without a decision never allows
// anything.
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "runtimes/acp/outgoing.hpp"
#include "runtimes/acp/tool_calls.hpp"
#include "runtimes/acp/translate.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::runtimes;
using namespace countersign::runtimes::acp;

void require(bool holds) {
    if (!holds) std::abort();
}

const security::Redactor& redactor() {
    static const security::Redactor made{security::Secret{std::string_view{"a key of the tests alone"}}, {}};
    return made;
}

Context context(AlwaysMode always) {
    static const Rules rules;
    return {.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            .agent_id = "dev",
            .session_key = "s",
            .requester = "",
            .cwd = "/w",
            .always = always,
            .rules = rules,
            .redactor = redactor()};
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

void check_result(const std::string& result) {
    require(result.find_first_of("\r\n") == std::string::npos);
    require(result.size() > limits::json_bytes_max || json::read(result).has_value());
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
        const auto result = resolution(made.raw, verdict);
        require(result.has_value() == (option.effect == Effect::allow));
        if (result) check_result(*result);
    }
}

void check_translated(const Translated& made) {
    check_shown(shown_text(made.request));
    check_options(made);
    Verdict verdict{.request_id = made.request.id, .outcome = Outcome::expired};
    verdict.args_hash = made.request.args_hash.hex;
    const auto result = resolution(made.raw, verdict);
    require(result && *result == cancelled_result(made.raw.kind));
    check_result(*result);
    verdict.args_hash.clear();
    require(!resolution(made.raw, verdict).has_value());
}

// A call that was reported in part can only be answered by a person, and only once.
void check_partial(const Translated& made) {
    const auto* approval = made.request.approval();
    if (approval == nullptr || !made.request.args_hash.partial) return;
    require(!made.request.judgement.may_grant);
    require(made.request.judgement.policy.effect != PolicyEffect::allow);
    for (const auto& option : approval->options) require(option.scope == Scope::once);
}

void check_ask(const Ask& ask) {
    if (!can_be_asked(ask)) return;
    for (const auto always : {AlwaysMode::grant, AlwaysMode::native}) {
        const auto made = translate(ask, context(always));
        if (made) {
            check_translated(*made);
            check_partial(*made);
        } else {
            check_shown(made.error().detail);
        }
    }
}

void check_update(CallUpdate update) {
    ToolCalls calls;
    (void)calls.updated(update);
    const auto known = calls.known(update.session_id, update.call_id).merged(update.call);
    const auto shown = display_of_call(known, redactor());
    check_shown(shown.text);
    check_shown(shown.diff);
    check_shown(shown.summary);
    update.status = "completed";
    (void)calls.updated(update);
    require(calls.bytes() == 0);
}

void check(const RpcMessage& raw) {
    auto message = read_message(raw);
    if (const auto* ask = std::get_if<Ask>(&message)) check_ask(*ask);
    if (auto* update = std::get_if<CallUpdate>(&message)) check_update(std::move(*update));
}

}  // namespace

// The first line is the method; the parameters follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const auto end = std::min(input.find('\n'), input.size());
    const std::string method{input.substr(0, end)};
    const std::string params{input.substr(std::min(end + 1, input.size()))};
    check({.id = "0", .method = method, .params = params});
    check({.id = "", .method = method, .params = params});
    return 0;
}
