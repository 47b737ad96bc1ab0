// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/adapter.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/acp/known_agents.hpp"
#include "runtimes/acp/outgoing.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/subject_display.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign::runtimes::acp {

namespace asio = boost::asio;

namespace {

constexpr auto withdrawn_because = "withdrawn by the agent: answered elsewhere, or its turn was ended";
constexpr int auth_required = -32000;

json::Value read_object(const std::string& json) {
    auto read = json::read(json);
    return read && read->value.object() != nullptr ? std::move(read->value) : json::Value{json::Object{}};
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
      asks_{executor, [this](const std::string& what) { report({Errc::internal, what}); }},
      gone_{executor, asio::steady_timer::time_point::max()} {}

asio::awaitable<void> Adapter::run() {
    co_await asks_.start(begin_session());
    if (options_.stop) co_await asks_.start(stop_if_it_stays());
    (void)co_await peer_.run();
    is_gone_ = true;
    gone_.cancel();
    co_await asks_.join();  // the last calls still reach the hub, and are then lost
    speak();
    hub_.gone(*this, {}, end_reason_);
}

asio::awaitable<void> Adapter::begin_session() {
    if (const auto started = co_await start_session(); !started) {
        report({started.error().code, shown_line(started.error().detail, *redactor_.now())});
        co_return end_input();
    }
    prompts_.agent_ready();
    co_await next_prompt();
    close_when_done();
}

asio::awaitable<Result<void>> Adapter::start_session() {
    const auto hello = co_await request("initialize", initialize_params(options_.version));
    if (!hello) co_return hello.error();
    if (const auto taken = take_hello(*hello); !taken) co_return taken.error();
    if (!options_.auth_method.empty()) {
        const auto authenticated = co_await request("authenticate", authenticate_params(options_.auth_method));
        if (!authenticated) co_return authenticated.error();
    }
    const auto session = co_await request("session/new", new_session_params(options_.cwd));
    if (!session) co_return session.error();
    co_return take_session(*session);
}

// The JSON of the result.
asio::awaitable<Result<std::string>> Adapter::request(std::string method, std::string params) {
    const auto answer = co_await peer_.call(method, std::move(params), agent_answer_max);
    if (!answer) co_return answer.error();
    if (!answer->is_error) co_return answer->json;
    const auto read = read_object(answer->json);
    auto why = text_of(*read.object(), "message");
    if (why.empty()) why = "no reason given";
    if (integer_of(*read.object(), "code") == auth_required) {
        why += "; log in with the agent's own program first";
        if (!auth_methods_.empty()) why += ", or give --auth-method with one of " + auth_methods_;
    }
    co_return Error{Errc::unavailable, method + ": the agent refuses: " + why};
}

Result<void> Adapter::take_hello(const std::string& json) {
    const auto read = read_object(json);
    const auto& hello = *read.object();
    const auto version = integer_of(hello, "protocolVersion");
    if (version != protocol_version) {
        return Error{Errc::unsupported, "the agent speaks version " + (version ? std::to_string(*version) : "?") +
                                            " of the Agent Client Protocol, and Countersign version 1; install "
                                            "another release of the agent"};
    }
    cancel_ends_turn_ = cancel_ends_turn(text_of(object_in(hello, "agentInfo"), "name"));
    for (const auto& method : array_in(hello, "authMethods")) {
        if (method.object() == nullptr) continue;
        auth_methods_ += (auth_methods_.empty() ? "" : ", ") + text_of(*method.object(), "id");
    }
    return {};
}

Result<void> Adapter::take_session(const std::string& json) {
    const auto read = read_object(json);
    session_id_ = text_of(*read.object(), "sessionId");
    if (session_id_.empty() || session_id_.size() > limits::native_id_bytes_max)
        return Error{Errc::malformed, "session/new: the agent named no session"};
    const auto mode = text_of(object_in(*read.object(), "modes"), "currentModeId");
    if (!asks_no_person(mode)) return {};
    return Error{Errc::unsupported, "the agent starts in its mode \"" + mode +
                                        "\", which does not ask a person; choose another one in its settings"};
}

bool Adapter::usable(const std::string& text, std::size_t bytes_max) const {
    return !text.empty() && text.size() <= bytes_max && shown_line(text, *redactor_.now()) == text;
}

std::string Adapter::session_of(const std::string& session_id) const {
    return usable(session_id, limits::session_key_bytes_max) ? session_id : options_.session_key;
}

asio::awaitable<void> Adapter::take(RpcMessage raw) {
    auto message = read_message(raw);
    if (auto* ask = std::get_if<Ask>(&message)) {
        co_await take_ask(std::move(*ask));
    } else if (auto* other = std::get_if<OtherRequest>(&message)) {
        co_await refuse_other(std::move(*other));
    } else if (auto* bad = std::get_if<Unreadable>(&message)) {
        co_await refuse(bad->kind, std::move(bad->native_id), bad->why);
    } else if (const auto* cancelled = std::get_if<CancelRequest>(&message)) {
        co_await cancel(calls_.withdraw(cancelled->native_id), withdrawn_because);
    } else if (const auto* done = std::get_if<ElicitationDone>(&message)) {
        auto calls = calls_.withdraw_where(
            [id = done->elicitation_id](const RawCall& raw) { return !id.empty() && raw.elicitation_id == id; });
        co_await cancel(std::move(calls), "withdrawn by the agent: it needs no answer any more");
    } else if (const auto* update = std::get_if<CallUpdate>(&message)) {
        see(*update);
    } else if (const auto* said = std::get_if<Said>(&message)) {
        hear(*said);
    } else if (const auto* changed = std::get_if<ModeChanged>(&message)) {
        see_mode(*changed);
    }
}

asio::awaitable<void> Adapter::take_ask(Ask ask) {
    speak();
    if (!can_be_asked(ask)) {
        const Error why{Errc::unsupported, "elicitation/create: of a kind that cannot be answered here"};
        co_return co_await refuse(ask.kind, std::move(ask.native_id), why);
    }
    if (ask.kind == AskKind::permission) ask.call = tool_calls_.known(ask.session_id, ask.call_id).merged(ask.call);
    tool_calls_.asked(ask.session_id, ask.call_id);
    auto pending = calls_.begin(ask.native_id, raw_of(ask));
    co_await asks_.start(this->ask(std::move(ask), std::move(pending), ids_.next()));
}

asio::awaitable<void> Adapter::ask(Ask ask, Calls::Handle pending, Ulid id) {
    auto made = co_await translated(ask, id);
    if (!made) {
        // After a withdrawal another request may use this native id.
        if (pending->withdrawn) {
            report(made.error());
        } else {
            co_await refuse(ask.kind, ask.native_id, made.error());
        }
        close_call(pending);
        co_return;
    }
    calls_.open(pending, id, std::move(made->raw));
    if (pending->withdrawn) {
        // No rule and no grant may answer it any more. It is recorded and withdrawn at once.
        ask_people(made->request.judgement, "withdrawn by the agent");
        asks_.next_turn([this, pending] {
            hub_.withdraw(*pending->id, *this, withdrawn_because);
            close_call(pending);
        });
    }
    const auto asked = co_await hub_.ask(std::move(made->request), *this);
    if (asked) {
        // What the agent asked before it read that its turn is cancelled belongs to that turn.
        if (!turn_cancelled_) interrupted_because_.clear();
        co_return;
    }
    report(asked.error());
    // Most refusals by the hub already sent an answer. If this one did not, the agent must not be left waiting.
    if (close_call(pending) && !pending->withdrawn) co_await respond(ask.native_id, cancelled_result(ask.kind));
}

asio::awaitable<Result<Translated>> Adapter::translated(const Ask& ask, Ulid id) {
    auto rules = options_.rules();
    const auto redactor = redactor_.now();
    Context context{.id = id,
                    .agent_id = options_.agent_id,
                    .runtime = options_.runtime,
                    .session_key = session_of(ask.session_id),
                    .requester = options_.requester,
                    .cwd = options_.cwd,
                    .cancel_ends_turn = cancel_ends_turn_,
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

// Files and terminals of ours, and everything that a later version adds.
asio::awaitable<void> Adapter::refuse_other(OtherRequest request) {
    const Error why{Errc::unsupported, "method: \"" + shown_line(request.method, *redactor_.now()) + "\""};
    report(why);
    hub_.unreadable(options_.agent_id, why);
    const auto sent = co_await peer_.fail(request.native_id, rpc_method_not_found, "not supported by Countersign");
    if (!sent) report(sent.error());
}

asio::awaitable<void> Adapter::refuse(AskKind kind, std::string native_id, Error why) {
    report(why);
    hub_.unreadable(options_.agent_id, why);
    if (!native_id.empty()) co_await respond(std::move(native_id), cancelled_result(kind));
}

asio::awaitable<void> Adapter::respond(std::string native_id, std::string result) {
    const auto sent = co_await peer_.respond(std::move(native_id), std::move(result));
    if (!sent) report(sent.error());
}

// The protocol wants an answer even to a request that was withdrawn. One that has not reached the hub yet is withdrawn
// when it does.
asio::awaitable<void> Adapter::cancel(std::vector<Calls::Handle> calls, std::string why) {
    for (const auto& call : calls) {
        tool_calls_.withdrawn(call->raw.session_id, call->raw.call_id);
        if (call->id) hub_.withdraw(*call->id, *this, why);
    }
    for (const auto& call : calls) co_await respond(call->native_id, cancelled_result(call->raw.kind));
    for (const auto& call : calls) {
        if (call->id) close_call(call);
    }
}

bool Adapter::close_call(const Calls::Handle& call) {
    const bool was_open = calls_.close(call);
    close_when_done();
    return was_open;
}

void Adapter::see(const CallUpdate& update) {
    speak();
    const auto call = tool_calls_.known(update.session_id, update.call_id).merged(update.call);
    if (!tool_calls_.updated(update) || !options_.unasked) return;
    const auto redactor = redactor_.now();
    const auto display = display_of_call(call, *redactor);
    options_.unasked({.agent_id = options_.agent_id,
                      .tool_name = shown_line(tool_name_of(call), *redactor),
                      .summary = summary_of(display.summary.empty() ? display.text : display.summary),
                      .session_key = shown_line(session_of(update.session_id), *redactor),
                      .display_text = unasked_text_of(display.text + (display.diff.empty() ? "" : "\n") + display.diff),
                      .failed = update.status == "failed"});
}

void Adapter::see_mode(const ModeChanged& changed) {
    if (!asks_no_person(changed.mode)) return;
    const Error why{Errc::unsupported, "the agent changed to its mode \"" + shown_line(changed.mode, *redactor_.now()) +
                                           "\", which does not ask a person; end it if you did not choose that"};
    report(why);
    hub_.unreadable(options_.agent_id, why);
}

// Text arrives in pieces. They are put together first, so that no cut divides a secret.
void Adapter::hear(const Said& said) {
    if (said.session_id != session_id_) return;
    if (said_.size() + said.text.size() > said_bytes_max) {
        said_too_much_ = true;
        return;
    }
    if (!said_too_much_) said_ += said.text;
}

void Adapter::speak() {
    const auto text = std::exchange(said_, {});
    const bool cut = std::exchange(said_too_much_, false);
    if (!options_.message || (text.empty() && !cut)) return;
    options_.message(shown_block(text, *redactor_.now()) + (cut ? "\n(more text than can be shown)" : ""));
}

asio::awaitable<Result<void>> Adapter::forward(Verdict verdict) {
    const auto call = calls_.find(verdict.request_id);
    if (!call) co_return Error{Errc::unknown_request, "this call is not open"};
    calls_.close(call);
    const auto made = resolution(call->raw, verdict);
    auto result = made ? *made : cancelled_result(call->raw.kind);
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
    if (auto prompt = prompts_.take()) co_await asks_.start(run_turn(std::move(*prompt)));
}

asio::awaitable<void> Adapter::run_turn(std::string prompt) {
    turn_running_ = true;
    turn_cancelled_ = false;
    const auto answer = co_await peer_.call("session/prompt", prompt_params(session_id_, prompt), turn_max);
    turn_running_ = false;
    if (is_gone_) co_return;  // what is open is then lost, not withdrawn
    speak();
    auto calls = calls_.withdraw_where([this](const RawCall& raw) { return raw.session_id == session_id_; });
    co_await cancel(std::move(calls), "its turn has ended");
    TurnEnd end{.failed = !answer || answer->is_error, .why = {}};
    if (answer) {
        const auto read = read_object(answer->json);
        end.why = shown_line(text_of(*read.object(), answer->is_error ? "message" : "stopReason"), *redactor_.now());
    } else {
        end.why = describe(answer.error());
    }
    if (options_.turn_ended) options_.turn_ended(end);
    prompts_.turn_over();
    co_await next_prompt();
    close_when_done();
}

asio::awaitable<Result<void>> Adapter::interrupt(Asker who, std::string why) {
    const Asker own{.agent_id = options_.agent_id,
                    .session_key = shown_line(session_of(session_id_), *redactor_.now())};
    if (!covers(who, own)) co_return Error{Errc::unsupported, "the agent is in another session"};
    interrupted_because_ = std::move(why);
    turn_cancelled_ = turn_running_;
    prompts_.forget_waiting();
    auto calls = calls_.withdraw_where([this](const RawCall& raw) { return raw.session_id == session_id_; });
    co_await cancel(std::move(calls), "its turn was ended");
    Result<void> sent;
    if (turn_running_) sent = co_await peer_.notify("session/cancel", cancel_params(session_id_));
    close_when_done();
    co_return sent;
}

// Pending answers need the agent's input: closing it would end everything that is open.
void Adapter::close_when_done() {
    if (prompts_.finished() && calls_.empty()) end_input();
}

void Adapter::end_input() {
    if (std::exchange(input_ended_, true)) return;
    if (options_.end) options_.end();
    gone_.expires_after(end_of_input_max);  // stop_if_it_stays waits for this
}

asio::awaitable<void> Adapter::stop_if_it_stays() {
    while (!is_gone_) {
        boost::system::error_code changed;
        co_await gone_.async_wait(asio::redirect_error(asio::use_awaitable, changed));
        if (!changed && !is_gone_) co_return options_.stop();
    }
}

void Adapter::report(const Error& why) const {
    if (options_.refused) options_.refused(why);
}

}  // namespace countersign::runtimes::acp
