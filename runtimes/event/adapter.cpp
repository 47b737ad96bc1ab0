// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/adapter.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/call_facts.hpp"
#include "security/display/display.hpp"

namespace countersign::runtimes::event {

namespace asio = boost::asio;

Adapter::Adapter(Options options, net::Child& child, Asking& hub, const security::CurrentRedactor& redactor)
    : options_{std::move(options)},
      child_{child},
      hub_{hub},
      redactor_{redactor},
      lines_{child, net::LineFraming{}},
      asks_{child.executor(), [this](const std::string& what) { report({Errc::internal, what}); }} {}

asio::awaitable<void> Adapter::run() {
    while (auto line = co_await lines_.next()) {
        if (line->bytes_dropped == 0) {
            co_await take(std::move(line->text));
            continue;
        }
        Error too_long{Errc::too_large, "a line of " + std::to_string(line->bytes_dropped) + " bytes, at most " +
                                            std::to_string(limits::agent_line_bytes_max)};
        co_await refuse({}, std::move(too_long));
    }
    co_await asks_.join();  // the last calls still reach the hub, and are then lost
    hub_.gone(*this, {}, end_reason_);
}

// Dispatches a line by its type. translate() checks its members.
asio::awaitable<void> Adapter::take(std::string line) {
    const auto document = json::read(line);
    const auto* object = document ? document->value.object() : nullptr;
    const auto type = object == nullptr ? std::string{} : text_of(*object, "type");
    if (type == "message") {
        const auto clean =
            security::display(redactor_.now()->text(text_of(*object, "text")), security::DisplayMode::block);
        if (options_.message) options_.message(clean);
    } else if (type == "approval_withdrawn") {
        const auto id = Ulid::parse(text_of(*object, "approvalId"));
        if (!id) {
            co_await refuse({}, {Errc::malformed, "approvalId: is no ULID"});
            co_return;
        }
        // A call that has not reached the hub yet is withdrawn when it does.
        for (const auto& call : calls_.withdraw(id->str())) {
            if (call->id) take_back(call);
        }
    } else {
        const auto id = Ulid::parse(object == nullptr ? std::string{} : text_of(*object, "approvalId"));
        co_await asks_.start(ask(std::move(line), calls_.begin(id ? id->str() : std::string{})));
    }
}

asio::awaitable<void> Adapter::ask(std::string line, Calls::Handle call) {
    auto made = co_await translated(line);
    if (!made) {
        calls_.close(call);
        co_return co_await refuse(call->native_id, made.error());
    }
    // If another event with this id is open, the hub decides; this one must not replace the call that gets the answer.
    const auto id = made->request.id;
    calls_.open(call, id, std::move(made->raw));
    if (call->withdrawn) {
        // No rule and no grant may answer it any more. It is recorded and withdrawn at once.
        ask_people(made->request.judgement, "withdrawn by the agent");
        asks_.next_turn([this, call] { take_back(call); });
    }
    const auto asked = co_await hub_.ask(std::move(made->request), *this);
    if (asked) co_return;
    if (asked.error().code == Errc::conflict || asked.error().code == Errc::already_decided) {
        calls_.close(call);  // the id was used before, perhaps by another agent
        co_await refuse(id.str(), asked.error());
    } else {
        report(asked.error());  // the hub already answered the agent
    }
}

void Adapter::take_back(const Calls::Handle& call) {
    if (call->id) hub_.withdraw(*call->id, *this, "withdrawn by the agent");
    calls_.close(call);
}

asio::awaitable<Result<Translated>> Adapter::translated(std::string_view line) {
    auto rules = options_.rules();
    const auto redactor = redactor_.now();
    Context context{.agent_id = options_.agent_id,
                    .session_key = options_.session_key,
                    .requester = options_.requester,
                    .cwd = options_.cwd,
                    .rules = rules,
                    .redactor = *redactor};
    Draft draft{line, context};
    Seen seen;
    if (auto sought = draft.sought(); sought && options_.look) {
        seen = co_await asks_.look(options_.look(std::move(*sought)));
        rules = options_.rules();
    }
    context.files = files_in(seen);
    // If a reload added a secret while we looked, mask it in every text.
    const auto current = redactor_.now();
    context.redactor = *current;
    auto made = current == redactor ? draft.finish() : translate(line, context);
    if (made) made->request.workplace = shown_workplace(seen.place, *current);
    co_return made;
}

asio::awaitable<void> Adapter::refuse(std::string approval_id, Error why) {
    report(why);
    hub_.unreadable(options_.agent_id, why);
    json::Object entry{{"error", security::display(redactor_.now()->text(describe(why)), security::DisplayMode::line)}};
    if (Ulid::parse(approval_id)) entry.add("approvalId", std::move(approval_id));
    const json::Value answer{json::Object{{"refusedEvents", json::Array{json::Value{std::move(entry)}}}}};
    const auto written = co_await child_.write(json::canonical(answer) + "\n");
    if (!written) report(written.error());
}

asio::awaitable<Result<void>> Adapter::forward(Verdict verdict) {
    const auto call = calls_.find(verdict.request_id);
    if (!call) co_return Error{Errc::unknown_request, "this call is not open"};
    const auto line = resolution(call->raw, verdict);
    if (!line) co_return line.error();  // the call stays open, so that a refusal can still be sent
    calls_.close(call);
    co_return co_await child_.write(*line + "\n");
}

void Adapter::report(const Error& why) const {
    if (options_.refused) options_.refused(why);
}

}  // namespace countersign::runtimes::event
