// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/adapter.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/members.hpp"
#include "security/display.hpp"

#include <algorithm>

namespace countersign::runtimes::event {

namespace asio = boost::asio;

namespace {

constexpr std::string_view withdrawal = "approval_withdrawn";

}  // namespace

Adapter::Adapter(Options options, net::Child& child, Asking& hub, const security::Redactor& redactor)
    : options_{std::move(options)}, child_{child}, hub_{hub}, redactor_{redactor}, lines_{child, net::LineFraming{}} {}

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
    hub_.gone(*this, end_reason_);
}

// What a line is, by its type. Its members are judged by translate.
asio::awaitable<void> Adapter::take(std::string line) {
    const auto document = json::read(line);
    const auto* object = document ? document->value.object() : nullptr;
    const auto type = object == nullptr ? std::string{} : text_member(*object, "type");
    if (type == "message") {
        const auto clean =
            security::display(redactor_.text(text_member(*object, "text")), security::DisplayMode::block);
        if (options_.message) options_.message(clean);
    } else if (type == withdrawal) {
        const auto id = Ulid::parse(text_member(*object, "approvalId"));
        if (!id) {
            co_await refuse({}, {Errc::malformed, "approvalId: is no ULID"});
            co_return;
        }
        hub_.withdraw(*id, *this, "withdrawn by the agent");
        calls_.erase(*id);  // nothing is answered to it any more
    } else {
        co_await ask(line);
    }
}

asio::awaitable<void> Adapter::ask(std::string_view line) {
    auto made = co_await translated(line);
    if (!made) {
        const auto document = json::read(line);
        const auto* object = document ? document->value.object() : nullptr;
        co_await refuse(object == nullptr ? std::string{} : text_member(*object, "approvalId"), made.error());
        co_return;
    }
    const auto id = made->request.id;
    // A second event under an id that is open is judged by the hub; it must not replace the call that is answered.
    const bool fresh = calls_.emplace(id, std::move(made->raw)).second;
    const auto asked = co_await hub_.ask(std::move(made->request), *this);
    if (asked) co_return;
    if (asked.error().code == Errc::conflict || asked.error().code == Errc::already_decided) {
        if (fresh) calls_.erase(id);  // the id was used by another agent, or before
        co_await refuse(id.str(), asked.error());
    } else if (options_.refused) {
        options_.refused(asked.error());  // the agent has its answer already
    }
}

asio::awaitable<Result<Translated>> Adapter::translated(std::string_view line) {
    auto rules = options_.rules();
    Context context{.agent_id = options_.agent_id,
                    .session_key = options_.session_key,
                    .requester = options_.requester,
                    .cwd = options_.cwd,
                    .rules = rules,
                    .redactor = redactor_};
    Draft draft{line, context};
    Seen seen;
    if (auto sought = draft.sought(); sought && options_.look) {
        seen = co_await lines_.read_during(options_.look(std::move(*sought)));
        rules = options_.rules();
    }
    context.files = files_in(seen);
    auto made = draft.finish();
    if (!made) co_return made;
    made->request.workplace = shown_workplace(seen.place, redactor_);
    // No rule and no grant may answer it any more; it is recorded, and the next lines take it back.
    if (was_withdrawn(made->request.id)) ask_people(made->request.judgement, "withdrawn by the agent");
    co_return made;
}

bool Adapter::was_withdrawn(const Ulid& id) const {
    return std::ranges::any_of(lines_.ahead(), [&](const net::Line& line) {
        const auto document = json::read(line.text);
        const auto* object = document ? document->value.object() : nullptr;
        return object != nullptr && text_member(*object, "type") == withdrawal &&
               text_member(*object, "approvalId") == id.str();
    });
}

asio::awaitable<void> Adapter::refuse(std::string approval_id, Error why) {
    if (options_.refused) options_.refused(why);
    hub_.unreadable(options_.agent_id, why);
    json::Object entry{{"error", security::display(redactor_.text(describe(why)), security::DisplayMode::line)}};
    if (Ulid::parse(approval_id)) entry.add("approvalId", std::move(approval_id));
    const json::Value answer{json::Object{{"refusedEvents", json::Array{json::Value{std::move(entry)}}}}};
    const auto written = co_await child_.write(json::canonical(answer) + "\n");
    if (!written && options_.refused) options_.refused(written.error());
}

asio::awaitable<Result<void>> Adapter::forward(Verdict verdict) {
    const auto call = calls_.find(verdict.request_id);
    if (call == calls_.end()) co_return Error{Errc::unknown_request, "this call is not open"};
    const auto line = resolution(call->second, verdict);
    if (!line) co_return line.error();  // the call stays: its refusal can still be sent
    calls_.erase(call);
    co_return co_await child_.write(*line + "\n");
}

}  // namespace countersign::runtimes::event
