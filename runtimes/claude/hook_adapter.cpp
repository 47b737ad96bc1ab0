// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/hook_adapter.hpp"

#include "core/json/write.hpp"
#include "runtimes/claude/outgoing.hpp"
#include "runtimes/subject_display.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign::runtimes::claude {

namespace asio = boost::asio;

HookAdapter::HookAdapter(Options options, const asio::any_io_executor& executor, Asking& hub,
                         const security::CurrentRedactor& redactor)
    : options_{std::move(options)}, hub_{hub}, redactor_{redactor}, changed_{executor} {}

asio::awaitable<Result<Translated>> HookAdapter::translated(const PermissionAsked& asked, Ulid id) {
    // The CLI gives the call no id. Ours is asked again under the same id if the hub restarts.
    auto call = asked.tool;
    call.native_id = json::canonical(json::Value{id.str()});
    if (!asked.cwd.starts_with('/')) co_return Error{Errc::malformed, "cwd: must be a full path"};
    const auto rules = options_.rules();
    const auto redactor = redactor_.now();
    Context context{.id = id,
                    .agent_id = options_.agent_id,
                    .session_key = asked.session_id,
                    .requester = {},
                    .cwd = asked.cwd,
                    .always = options_.always ? options_.always() : AlwaysMode::grant,
                    .asks_everything = options_.asks_everything,
                    .rules = rules,
                    .redactor = *redactor};
    auto draft = begin(call, context);
    if (!draft) co_return draft.error();
    Seen seen;
    if (options_.look) seen = co_await options_.look(sought_of(*draft, context));
    context.files = files_in(seen);
    auto made = claude::finish(call, std::move(*draft), context);
    if (made) made->request.workplace = shown_workplace(seen.place, *redactor);
    co_return made;
}

asio::awaitable<void> HookAdapter::ask(PermissionAsked asked, Ulid id) {
    auto made = co_await translated(asked, id);
    if (end_) co_return;
    if (!made) co_return finish({.printed = false, .why = "it can't be shown to people: " + describe(made.error())});
    raw_ = std::move(made->raw);
    const auto known = co_await hub_.ask(std::move(made->request), *this);
    // Most refusals came through forward() already.
    if (!known && !end_) finish({.printed = false, .why = describe(known.error())});
}

// The first answer wins. If the terminal was faster, the CLI drops ours, so it must not be recorded as given.
asio::awaitable<Result<void>> HookAdapter::forward(Verdict verdict) {
    if (!raw_) co_return Error{Errc::unknown_request, "this call is not open"};
    const auto raw = std::exchange(raw_, std::nullopt);
    const auto line = hook_output(*raw, verdict, options_.unattended);
    if (!line) {
        finish({.printed = false, .why = "the decision doesn't fit this call: " + line.error().detail});
        co_return line.error();
    }
    if (line->empty()) {
        const auto reason = verdict.reason.empty() ? std::string{} : ": " + verdict.reason;
        finish({.printed = false, .why = std::string{name(verdict.outcome)} + reason});
        co_return Result<void>{};
    }
    const bool wanted = !options_.still_asked || co_await options_.still_asked();
    if (!wanted || end_) {
        if (!end_) finish({.printed = false, .why = "the terminal was first"});
        co_return Error{Errc::already_decided, "the terminal was first, so this answer was not given"};
    }
    auto printed = options_.print(*line);
    finish({.printed = printed.has_value(), .why = printed ? std::string{} : describe(printed.error())});
    co_return printed;
}

void HookAdapter::withdraw(std::string why) {
    if (end_) return;
    if (const auto raw = std::exchange(raw_, std::nullopt)) hub_.withdraw(raw->id, *this, why);
    finish({.printed = false, .why = std::move(why)});
}

void HookAdapter::finish(End end) {
    end_ = std::move(end);
    changed_.cancel();
}

asio::awaitable<void> HookAdapter::ended(std::chrono::milliseconds time_max) {
    if (end_) co_return;
    boost::system::error_code ignored;
    changed_.expires_after(time_max);
    co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

}  // namespace countersign::runtimes::claude
