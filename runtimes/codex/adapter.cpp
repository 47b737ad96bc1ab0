// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/adapter.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>
#include <utility>

namespace countersign::runtimes::codex {

namespace asio = boost::asio;

namespace {

constexpr auto withdrawn_because = "withdrawn by the agent: answered elsewhere, or its turn was ended";

// The error that Codex answered with, for the operator.
Error refusal_of(const std::string& method, const RpcAnswer& answer) {
    const auto read = json::read(answer.json);
    const auto* object = read ? read->value.object() : nullptr;
    auto why = object == nullptr ? std::string{} : text_of(*object, "message");
    return {Errc::unavailable, method + ": Codex refuses: " + (why.empty() ? "no reason given" : why)};
}

}  // namespace

Adapter::Adapter(Options options, std::unique_ptr<net::MessageStream> stream, const asio::any_io_executor& executor,
                 Asking& hub, Ids& ids, const security::CurrentRedactor& redactor)
    : options_{std::move(options)},
      stream_{std::move(stream)},
      hub_{hub},
      ids_{ids},
      redactor_{redactor},
      peer_{*stream_,
            {.message = [this](RpcMessage message) { return take(std::move(message)); },
             .refused =
                 [this](const Error& why) {
                     report(why);
                     hub_.unreadable(options_.agent_id, why);
                 }}},
      asks_{executor, [this](const std::string& what) { report({Errc::internal, what}); }} {}

asio::awaitable<void> Adapter::run() {
    co_await asks_.start(begin_thread());
    (void)co_await peer_.run();
    co_await asks_.join();  // the last calls still reach the hub, and are then lost
    hub_.gone(*this, {}, end_reason_);
}

asio::awaitable<void> Adapter::begin_thread() {
    if (const auto started = co_await start_thread(); !started) {
        report({started.error().code, shown_line(describe(started.error()), *redactor_.now())});
        if (options_.end) options_.end();
        co_return;
    }
    prompts_.agent_ready();
    co_await next_prompt();
    close_when_done();
}

asio::awaitable<Result<void>> Adapter::start_thread() {
    const auto hello = co_await peer_.call("initialize", initialize_params(options_.version), codex_answer_max);
    if (!hello) co_return hello.error();
    if (hello->is_error) co_return refusal_of("initialize", *hello);
    if (const auto told = co_await peer_.notify("initialized", {}); !told) co_return told.error();
    const auto answer = co_await peer_.call("thread/start", thread_start_params(options_.thread), codex_answer_max);
    if (!answer) co_return answer.error();
    if (answer->is_error) co_return refusal_of("thread/start", *answer);
    co_return take_thread(answer->json);
}

// Without the policy and the reviewer that we asked for, Codex would run calls that no person has seen.
Result<void> Adapter::take_thread(const std::string& json) {
    const auto read = json::read(json);
    const auto* result = read ? read->value.object() : nullptr;
    const auto* thread = result == nullptr ? nullptr : find_object(*result, "thread");
    if (thread == nullptr || text_of(*thread, "id").empty())
        return Error{Errc::malformed, "thread/start: Codex named no thread"};
    if (text_of(*result, "approvalPolicy") != options_.thread.approval_policy) {
        return Error{Errc::unsupported, "thread/start: Codex uses another approval policy than \"" +
                                            options_.thread.approval_policy + "\"; see its configuration"};
    }
    if (text_of(*result, "approvalsReviewer") != "user")
        return Error{Errc::unsupported, "thread/start: Codex lets something else than a person review approvals"};
    thread_id_ = text_of(*thread, "id");
    const auto cwd = text_of(*result, "cwd");
    if (usable(cwd, limits::cwd_bytes_max) && cwd.starts_with('/')) options_.thread.cwd = cwd;
    return {};
}

bool Adapter::usable(const std::string& text, std::size_t bytes_max) const {
    return !text.empty() && text.size() <= bytes_max && shown_line(text, *redactor_.now()) == text;
}

// Sub-agents have threads of their own and belong to the session.
std::string Adapter::session_key() const {
    return usable(thread_id_, limits::session_key_bytes_max) ? thread_id_ : options_.session_key;
}

asio::awaitable<void> Adapter::take(RpcMessage raw) {
    auto message = read_message(raw);
    if (auto* ask = std::get_if<Ask>(&message)) {
        co_await take_ask(std::move(*ask));
    } else if (auto* other = std::get_if<OtherRequest>(&message)) {
        co_await refuse_other(std::move(*other));
    } else if (auto* bad = std::get_if<Unreadable>(&message)) {
        const auto why = "It cannot be read: " + shown_line(describe(bad->why), *redactor_.now());
        co_await refuse(bad->native_id, refusal_result(bad->kind, why), bad->why);
    } else if (const auto* resolved = std::get_if<Resolved>(&message)) {
        peer_.forget(resolved->native_id);
        withdraw(calls_.withdraw(resolved->native_id), withdrawn_because);
    } else if (const auto* started = std::get_if<ItemStarted>(&message)) {
        items_.started(started->item);
    } else if (const auto* completed = std::get_if<ItemCompleted>(&message)) {
        see_completed(completed->item);
    } else if (const auto* typed = std::get_if<Typed>(&message)) {
        see_typed(*typed);
    } else if (const auto* begun = std::get_if<TurnStarted>(&message)) {
        if (turns_.size() < limits::sessions_per_runtime_max) turns_[begun->thread_id] = begun->turn_id;
    } else if (auto* end = std::get_if<TurnEnded>(&message)) {
        co_await take_end(std::move(*end));
    } else if (const auto* closed = std::get_if<ThreadClosed>(&message)) {
        close_thread(closed->thread_id);
    }
}

asio::awaitable<void> Adapter::take_ask(Ask ask) {
    if (!can_be_asked(ask)) {
        const Error why{Errc::unsupported, "mcpServer/elicitation/request: of a kind that cannot be answered here"};
        co_return co_await refuse(ask.native_id, elicitation_result("cancel", "null", "null"), why);
    }
    ask.of_sub_agent = !ask.thread_id.empty() && ask.thread_id != thread_id_;
    add_what_is_known(ask);
    items_.asked(ask.thread_id, ask.item_id);
    auto pending = calls_.begin(ask.native_id, raw_of(ask));
    co_await asks_.start(this->ask(std::move(ask), std::move(pending), ids_.next()));
}

void Adapter::add_what_is_known(Ask& ask) {
    if (ask.kind == AskKind::file_change) ask.changes = items_.changes_of(ask.thread_id, ask.item_id);
    if (ask.kind != AskKind::elicitation) return;
    const auto& params = *ask.value.object();
    const auto* meta = find_object(params, "_meta");
    const auto* arguments = meta == nullptr ? nullptr : meta->find("tool_params");
    if (arguments == nullptr || elicitation_kind(ask) != ElicitationKind::tool_approval) return;
    // 0.169 names the tool, 0.166 did not.
    auto tool = text_of(*meta, "tool_name");
    auto call = items_.mcp_call(ask.thread_id, text_of(params, "serverName"), tool, *arguments);
    ask.mcp_tool = tool.empty() ? std::move(call.tool) : std::move(tool);
    ask.item_id = std::move(call.item_id);
}

asio::awaitable<void> Adapter::ask(Ask ask, Calls::Handle pending, Ulid id) {
    auto made = co_await translated(ask, id);
    if (!made) {
        const auto why = "No one can be shown this: " + shown_line(describe(made.error()), *redactor_.now());
        // After a withdrawal another request may use this native id.
        if (pending->withdrawn) {
            report(made.error());
        } else {
            co_await refuse(ask.native_id, refusal_result(ask.kind, why), made.error());
        }
        close_call(pending);
        co_return;
    }
    calls_.open(pending, id, std::move(made->raw));
    if (pending->withdrawn) {
        // No rule and no grant may answer it any more. It is recorded and withdrawn at once.
        ask_people(made->request.judgement, "withdrawn by the agent");
        asks_.next_turn([this, pending] { take_back(pending, withdrawn_because); });
    }
    const auto asked = co_await hub_.ask(std::move(made->request), *this);
    if (asked) {
        interrupted_because_.clear();
        co_return;
    }
    report(asked.error());
    // Most refusals by the hub already sent an answer. If this one did not, Codex must not be left waiting.
    if (!close_call(pending)) co_return;
    co_await respond(ask.native_id, refusal_result(ask.kind, "No one was asked: " + shown_line(describe(asked.error()),
                                                                                               *redactor_.now())));
}

asio::awaitable<Result<Translated>> Adapter::translated(const Ask& ask, Ulid id) {
    auto rules = options_.rules();
    const auto redactor = redactor_.now();
    Context context{.id = id,
                    .agent_id = options_.agent_id,
                    .session_key = session_key(),
                    .requester = options_.requester,
                    .cwd = options_.thread.cwd,
                    .always = options_.always ? options_.always() : AlwaysMode::grant,
                    .rules = rules,
                    .redactor = *redactor};
    auto draft = begin(ask, context);
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
    auto made = current == redactor ? finish(ask, std::move(*draft), context) : translate(ask, context);
    if (made) made->request.workplace = shown_workplace(seen.place, *current);
    co_return made;
}

asio::awaitable<void> Adapter::refuse_other(OtherRequest request) {
    const Error why{Errc::unsupported, "method: \"" + shown_line(request.method, *redactor_.now()) + "\""};
    report(why);
    hub_.unreadable(options_.agent_id, why);
    const auto sent = co_await peer_.fail(request.native_id, rpc_method_not_found, "not supported by Countersign");
    if (!sent) report(sent.error());
}

asio::awaitable<void> Adapter::refuse(const std::string& native_id, std::string result, Error why) {
    report(why);
    hub_.unreadable(options_.agent_id, why);
    return respond(native_id, std::move(result));
}

asio::awaitable<void> Adapter::respond(std::string native_id, std::string result) {
    const auto sent = co_await peer_.respond(std::move(native_id), std::move(result));
    if (!sent) report(sent.error());
}

// A call that has not reached the hub yet is withdrawn when it does.
void Adapter::withdraw(const std::vector<Calls::Handle>& calls, const std::string& why) {
    for (const auto& call : calls) {
        items_.withdrawn(call->raw.thread_id, call->raw.item_id);
        if (call->id) take_back(call, why);
    }
}

void Adapter::take_back(const Calls::Handle& call, const std::string& why) {
    hub_.withdraw(*call->id, *this, why);
    close_call(call);
}

bool Adapter::close_call(const Calls::Handle& call) {
    const bool was_open = calls_.close(call);
    close_when_done();
    return was_open;
}

void Adapter::close_thread(const std::string& thread_id) {
    turns_.erase(thread_id);
    const auto calls = calls_.withdraw_where([&](const RawCall& raw) { return raw.thread_id == thread_id; });
    for (const auto& call : calls) peer_.forget(call->native_id);
    withdraw(calls, "the agent's thread was closed");
}

asio::awaitable<void> Adapter::take_end(TurnEnded end) {
    turns_.erase(end.thread_id);
    const auto calls = calls_.withdraw_where([&](const RawCall& raw) {
        return raw.thread_id == end.thread_id && raw.turn_id == end.turn_id && !raw.outlives_turn;
    });
    for (const auto& call : calls) peer_.forget(call->native_id);
    withdraw(calls, withdrawn_because);
    if (end.thread_id != thread_id_) {
        close_when_done();
        co_return;
    }
    prompts_.turn_over();
    end.status = shown_line(end.status, *redactor_.now());
    end.error = shown_line(end.error, *redactor_.now());
    if (options_.turn_ended) options_.turn_ended(end);
    co_await next_prompt();
    close_when_done();
}

void Adapter::see_completed(const Item& item) {
    const auto redactor = redactor_.now();
    if (item.type == "agentMessage") {
        const auto text = text_of(*item.value.object(), "text");
        if (!text.empty() && options_.message) options_.message(shown_block(text, *redactor));
        return;
    }
    const bool unasked = items_.ran_unasked(item);
    const auto shown = unasked && options_.unasked ? display_of_item(item, *redactor) : std::nullopt;
    if (!shown) return;
    const auto& display = shown->display;
    options_.unasked({.agent_id = options_.agent_id,
                      .tool_name = shown_line(shown->tool, *redactor),
                      .summary = summary_of(display.summary.empty() ? display.text : display.summary),
                      .session_key = shown_line(session_key(), *redactor),
                      .display_text = unasked_text_of(display.text + (display.diff.empty() ? "" : "\n") + display.diff),
                      .failed = item.status == "failed"});
}

// An empty input only waits for more output.
void Adapter::see_typed(const Typed& typed) {
    if (typed.text.empty() || !options_.unasked) return;
    const auto redactor = redactor_.now();
    const auto text = shown_block(typed.text, *redactor);
    options_.unasked({.agent_id = options_.agent_id,
                      .tool_name = "write_stdin",
                      .summary = summary_of(text),
                      .session_key = shown_line(session_key(), *redactor),
                      .display_text = unasked_text_of(text),
                      .failed = false});
}

asio::awaitable<Result<void>> Adapter::forward(Verdict verdict) {
    const auto call = calls_.find(verdict.request_id);
    if (!call) co_return Error{Errc::unknown_request, "this call is not open"};
    calls_.close(call);
    const auto made = resolution(call->raw, verdict);
    auto result = made ? *made : refusal_result(call->raw.kind, "The decision does not fit this call.");
    const auto sent = co_await peer_.respond(call->native_id, std::move(result));
    close_when_done();
    if (!made) co_return made.error();
    co_return sent;
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

asio::awaitable<void> Adapter::next_prompt() {
    if (auto prompt = prompts_.take()) co_await asks_.start(start_turn(std::move(*prompt)));
}

asio::awaitable<void> Adapter::start_turn(std::string prompt) {
    starting_turn_ = true;
    const auto answer = co_await peer_.call("turn/start", turn_start_params(thread_id_, prompt), codex_answer_max);
    starting_turn_ = false;
    const bool interrupted = std::exchange(interrupt_next_, false);
    if (!answer || answer->is_error) {
        const auto why = answer ? refusal_of("turn/start", *answer) : answer.error();
        report({why.code, shown_line(describe(why), *redactor_.now())});
        prompts_.turn_over();
        co_await next_prompt();
        close_when_done();
        co_return;
    }
    if (!interrupted) co_return;
    const auto read = json::read(answer->json);
    const auto* turn = read && read->value.object() != nullptr ? find_object(*read->value.object(), "turn") : nullptr;
    if (turn == nullptr) co_return;
    (void)co_await peer_.call("turn/interrupt", turn_interrupt_params(thread_id_, text_of(*turn, "id")),
                              codex_answer_max);
}

asio::awaitable<Result<void>> Adapter::interrupt(Asker who, std::string why) {
    if (!covers(who, {.agent_id = options_.agent_id, .session_key = shown_line(session_key(), *redactor_.now())}))
        co_return Error{Errc::unsupported, "Codex is in another session"};
    interrupted_because_ = std::move(why);
    prompts_.forget_waiting();
    interrupt_next_ = starting_turn_;
    const auto turns = turns_;  // they may end while we wait
    Result<void> ended;
    for (const auto& [thread_id, turn_id] : turns) {
        const auto answer =
            co_await peer_.call("turn/interrupt", turn_interrupt_params(thread_id, turn_id), codex_answer_max);
        if (!answer) ended = answer.error();
        if (answer && answer->is_error) ended = refusal_of("turn/interrupt", *answer);
    }
    close_when_done();
    co_return ended;
}

// Pending answers and the turns of sub-agents need Codex's input: closing it would end everything that is open.
void Adapter::close_when_done() {
    if (prompts_.finished() && calls_.empty() && turns_.empty() && options_.end) options_.end();
}

void Adapter::report(const Error& why) const {
    if (options_.refused) options_.refused(why);
}

}  // namespace countersign::runtimes::codex
