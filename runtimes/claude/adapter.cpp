// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/adapter.hpp"

#include "runtimes/call_facts.hpp"
#include "runtimes/claude/outgoing.hpp"
#include "runtimes/subject_display.hpp"

namespace countersign::runtimes::claude {

namespace asio = boost::asio;

Adapter::Adapter(Options options, net::Child& child, Asking& hub, Ids& ids, const security::CurrentRedactor& redactor)
    : options_{std::move(options)},
      child_{child},
      hub_{hub},
      ids_{ids},
      redactor_{redactor},
      lines_{child, net::LineFraming{limits::agent_long_line_bytes_max, limits::agent_line_head_bytes_max}},
      session_{.session_id = options_.session_key, .cwd = options_.cwd},
      asks_{child.executor(), [this](const std::string& what) { report({Errc::internal, what}); }} {}

asio::awaitable<void> Adapter::run() {
    co_await send(request_line("countersign-initialize", R"({"subtype":"initialize"})"));
    prompts_.agent_ready();
    co_await next_prompt();
    while (const auto line = co_await lines_.next()) {
        auto message = line->bytes_dropped == 0 ? read_message(line->text) : read_head(line->head, line->bytes_dropped);
        co_await take(std::move(message));
    }
    co_await asks_.join();  // the last calls still reach the hub, and are then lost
    hub_.gone(*this, {}, end_reason_);
}

asio::awaitable<void> Adapter::take(Message message) {
    if (auto* call = std::get_if<CanUseTool>(&message)) {
        co_await take_call(std::move(*call));
    } else if (auto* other = std::get_if<OtherRequest>(&message)) {
        co_await answer_other(std::move(*other));
    } else if (const auto* bad = std::get_if<Unreadable>(&message)) {
        auto answer = bad->native_id.empty()
                          ? std::string{}
                          : error_line(bad->native_id, "not run, it cannot be read: " +
                                                           shown_line(describe(bad->why), *redactor_.now()));
        co_await refuse(std::move(answer), bad->why);
    } else if (const auto* withdrawn = std::get_if<Withdrawn>(&message)) {
        withdraw(*withdrawn);
    } else if (const auto* answered = std::get_if<Answered>(&message)) {
        if (!answered->error.empty())
            report({Errc::unsupported, "Claude Code: " + shown_line(answered->error, *redactor_.now())});
    } else if (const auto* started = std::get_if<Started>(&message)) {
        begin_session(*started);
    } else if (const auto* said = std::get_if<Said>(&message)) {
        hear(*said);
    } else if (const auto* results = std::get_if<ToolResults>(&message)) {
        see_results(*results);
    } else if (const auto* end = std::get_if<TurnEnd>(&message)) {
        prompts_.turn_over();
        if (options_.turn_ended) options_.turn_ended({end->failed, shown_line(end->subtype, *redactor_.now())});
        co_await next_prompt();
    }
}

asio::awaitable<void> Adapter::take_call(CanUseTool call) {
    if (calls_.has(call.native_id)) {
        // This id is open: the answer to the first call would also answer this one, with the input that was shown for
        // the first.
        const Error why{Errc::conflict, "request_id: a request of that name is open"};
        co_return co_await refuse({}, why);
    }
    tool_uses_.asked(call.tool_use_id, {.tool_name = call.tool_name});
    auto pending = calls_.begin(call.native_id, {.tool_use_id = call.tool_use_id});
    co_await asks_.start(ask(std::move(call), std::move(pending), ids_.next(), session_));
}

// `session`: as reported by earlier lines.
asio::awaitable<void> Adapter::ask(CanUseTool call, Calls::Handle pending, Ulid id, Started session) {
    auto made = co_await translated(call, id, session);
    if (!made) {
        const auto why =
            "Nobody can be shown this, so it was not run: " + shown_line(describe(made.error()), *redactor_.now());
        // After a withdrawal another call may use this native id.
        co_await refuse(pending->withdrawn ? std::string{} : deny_line(call.native_id, why), made.error());
        close_call(pending);
        co_return;
    }
    calls_.open(pending, id, std::move(made->raw));
    if (pending->withdrawn) {
        // No rule and no grant may answer it any more. It is recorded and withdrawn at once.
        ask_people(made->request.judgement, "withdrawn by the agent");
        asks_.next_turn([this, pending] { take_back(pending); });
    }
    const auto asked = co_await hub_.ask(std::move(made->request), *this);
    if (asked) {
        interrupted_because_.clear();
        co_return;
    }
    report(asked.error());
    // Most refusals by the hub already sent an answer. If this one did not, the CLI must not be left waiting.
    if (!close_call(pending)) co_return;
    co_await send(deny_line(call.native_id, "Nobody was asked, so this was not run: " +
                                                shown_line(describe(asked.error()), *redactor_.now())));
}

asio::awaitable<Result<Translated>> Adapter::translated(const CanUseTool& call, Ulid id, const Started& session) {
    auto rules = options_.rules();
    const auto redactor = redactor_.now();
    Context context{.id = id,
                    .agent_id = options_.agent_id,
                    .session_key = session.session_id,
                    .requester = options_.requester,
                    .cwd = session.cwd,
                    .always = options_.always ? options_.always() : AlwaysMode::grant,
                    .asks_everything = options_.asks_everything,
                    .rules = rules,
                    .redactor = *redactor};
    auto draft = begin(call, context);
    if (!draft) co_return draft.error();
    Seen seen;
    if (options_.look) {
        seen = co_await asks_.look(options_.look(sought_of(*draft, context)));
        rules = options_.rules();
        if (options_.always) context.always = options_.always();
    }
    context.files = files_in(seen);
    // If a reload added a secret while we looked, mask it in every text.
    const auto current = redactor_.now();
    context.redactor = *current;
    auto made = current == redactor ? finish(call, std::move(*draft), context) : translate(call, context);
    if (made) made->request.workplace = shown_workplace(seen.place, *current);
    co_return made;
}

// Requests that no person can answer here. An elicitation is dismissed; the CLI's protocol requires that a dialog we
// did not offer is left unanswered.
asio::awaitable<void> Adapter::answer_other(OtherRequest request) {
    const Error why{Errc::unsupported, "request.subtype: \"" + shown_line(request.subtype, *redactor_.now()) + "\""};
    if (request.subtype == "request_user_dialog") {
        report(why);
    } else if (request.subtype == "elicitation") {
        co_await refuse(success_line(request.native_id, R"({"action":"cancel"})"), why);
    } else {
        co_await refuse(error_line(request.native_id, "not supported by Countersign"), why);
    }
}

// A call that has not reached the hub yet is withdrawn when it does.
void Adapter::withdraw(const Withdrawn& withdrawn) {
    for (const auto& call : calls_.withdraw(withdrawn.native_id)) {
        tool_uses_.withdrawn(call->raw.tool_use_id);
        if (call->id) take_back(call);
    }
}

void Adapter::take_back(const Calls::Handle& call) {
    hub_.withdraw(*call->id, *this, "withdrawn by the agent: answered elsewhere, or its turn was ended");
    close_call(call);
}

bool Adapter::close_call(const Calls::Handle& call) {
    const bool was_open = calls_.close(call);
    close_when_done();
    return was_open;
}

void Adapter::begin_session(const Started& started) {
    const auto usable = [this](const std::string& text, std::size_t bytes_max) {
        return !text.empty() && text.size() <= bytes_max && shown_line(text, *redactor_.now()) == text;
    };
    if (usable(started.session_id, limits::session_key_bytes_max)) session_.session_id = started.session_id;
    if (usable(started.cwd, limits::cwd_bytes_max) && started.cwd.starts_with('/')) session_.cwd = started.cwd;
}

void Adapter::hear(const Said& said) {
    for (const auto& call : said.calls) {
        // Keep the arguments now: if the call runs without asking, later lines only bring its result.
        const auto display = display_of_tool(call.tool_name, call.input, call.exact, *redactor_.now());
        tool_uses_.wanted(call.tool_use_id, {.tool_name = call.tool_name,
                                             .summary = summary_of(display.summary),
                                             .display_text = unasked_text_of(
                                                 display.text + (display.diff.empty() ? "" : "\n") + display.diff)});
    }
    if (!said.text.empty() && options_.message) options_.message(shown_block(said.text, *redactor_.now()));
}

void Adapter::see_results(const ToolResults& results) {
    for (const auto& result : results.results) {
        auto wish = tool_uses_.finished(result.tool_use_id, result.end);
        if (!wish || !options_.unasked) continue;
        options_.unasked({.agent_id = options_.agent_id,
                          .tool_name = shown_line(wish->tool_name, *redactor_.now()),
                          .summary = std::move(wish->summary),
                          .session_key = shown_line(session_.session_id, *redactor_.now()),
                          .display_text = std::move(wish->display_text),
                          .failed = result.end != ToolResult::End::done});
    }
}

asio::awaitable<Result<void>> Adapter::forward(Verdict verdict) {
    const auto call = calls_.find(verdict.request_id);
    if (!call) co_return Error{Errc::unknown_request, "this call is not open"};
    calls_.close(call);
    const auto line = resolution(call->raw, verdict);
    const auto answer =
        line ? *line : deny_line(call->native_id, "The decision does not fit this call, so it was not run.");
    const auto written = co_await child_.write(answer + "\n");
    close_when_done();
    if (!line) co_return line.error();
    co_return written;
}

asio::awaitable<Result<void>> Adapter::say(std::string prompt) {
    auto queued = prompts_.push(std::move(prompt));
    if (queued) co_await next_prompt();
    co_return queued;
}

void Adapter::no_more_prompts() {
    prompts_.no_more();
    close_when_done();
}

asio::awaitable<Result<void>> Adapter::interrupt(Asker who, std::string why) {
    if (!covers(who, {.agent_id = options_.agent_id, .session_key = shown_line(session_.session_id, *redactor_.now())}))
        co_return Error{Errc::unsupported, "the CLI is in another session"};
    interrupted_because_ = std::move(why);
    prompts_.forget_waiting();
    const auto id = "countersign-interrupt-" + std::to_string(++interrupts_);
    co_return co_await child_.write(request_line(id, R"({"subtype":"interrupt"})") + "\n");
}

asio::awaitable<void> Adapter::next_prompt() {
    if (const auto prompt = prompts_.take()) co_return co_await send(prompt_line(*prompt));
    close_when_done();
}

// Pending answers need the CLI's input: closing it would deny everything that is open.
void Adapter::close_when_done() {
    if (prompts_.finished() && calls_.empty()) child_.close_stdin();
}

asio::awaitable<void> Adapter::refuse(std::string answer, Error why) {
    report(why);
    hub_.unreadable(options_.agent_id, why);
    if (!answer.empty()) co_await send(std::move(answer));
}

asio::awaitable<void> Adapter::send(std::string line) {
    const auto written = co_await child_.write(std::move(line) + "\n");
    if (!written) report(written.error());
}

void Adapter::report(const Error& why) const {
    if (options_.refused) options_.refused(why);
}

}  // namespace countersign::runtimes::claude
