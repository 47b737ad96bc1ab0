// SPDX-License-Identifier: Apache-2.0
// Any bytes as a message from Codex: never a crash. Each request that waits gets an answer that is one line of JSON. An
// approval shows nothing invisible, needs the hash of what was shown, and without a decision never allows anything.
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "runtimes/codex/items.hpp"
#include "runtimes/codex/outgoing.hpp"
#include "runtimes/codex/translate.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::runtimes;
using namespace countersign::runtimes::codex;

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
    require(result && *result == refusal_result(made.raw.kind, "No one decided in time, so this was not run."));
    check_result(*result);
    verdict.args_hash.clear();
    require(!resolution(made.raw, verdict).has_value());
}

void check_ask(Ask ask) {
    if (!can_be_asked(ask)) return;
    const auto* params = ask.value.object();
    // Stand in for what an earlier item would have said.
    if (ask.kind == AskKind::file_change && params->find("changes") != nullptr)
        ask.changes = bytes_of(ask.params, *params->find("changes"));
    ask.mcp_tool = text_of(*params, "tool");
    const bool person = demands_person(ask);
    for (const auto always : {AlwaysMode::grant, AlwaysMode::native}) {
        const auto made = translate(ask, context(always));
        if (!made) {
            check_shown(made.error().detail);
            continue;
        }
        check_translated(*made);
        if (!person || made->request.approval() == nullptr) continue;
        require(!made->request.judgement.may_grant);
        for (const auto& option : made->request.approval()->options) require(option.scope == Scope::once);
    }
}

void check_item(const Item& item) {
    Items items;
    items.started(item);
    (void)items.changes_of(item.thread_id, item.id);
    if (const auto shown = display_of_item(item, redactor())) {
        check_shown(shown->display.text);
        check_shown(shown->display.diff);
        check_shown(summary_of(shown->display.text));
    }
    (void)items.ran_unasked(item);
    require(items.bytes() == 0);
}

void check(const RpcMessage& raw) {
    auto message = read_message(raw);
    if (auto* ask = std::get_if<Ask>(&message)) check_ask(std::move(*ask));
    if (const auto* bad = std::get_if<Unreadable>(&message)) {
        check_result(refusal_result(bad->kind, bad->why.detail));
    }
    if (const auto* started = std::get_if<ItemStarted>(&message)) check_item(started->item);
    if (const auto* completed = std::get_if<ItemCompleted>(&message)) check_item(completed->item);
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
