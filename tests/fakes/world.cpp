// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/world.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace countersign::fakes {

namespace asio = boost::asio;

void FakeChannel::present(Presentation presentation) {
    const auto id = presentation.id;
    const auto& chat = presentation.to.chat.empty() ? presentation.to.principal : presentation.to.chat;
    const MessageRef ref{{name_, chat, presentation.to.thread, "m" + std::to_string(id)}, presentation.generation};
    const auto special = moods.find(chat);
    const auto now = special == moods.end() ? mood : special->second;
    presented.push_back(std::move(presentation));
    switch (now) {
    case Mood::delivers:
        return deliveries->delivered(id, ref, true);
    case Mood::delivers_part:
        return deliveries->delivered(id, ref, false);
    case Mood::fails:
        return deliveries->undeliverable(id, "the platform said no");
    case Mood::delays:
        return deliveries->delayed(id, "the platform wants us to wait");
    case Mood::silent:
        return;
    }
}

void FakeChannel::conclude(DeliveryId id, const Conclusion& conclusion) {
    concluded.push_back(conclusion);
    deliveries->concluded(id);
}

void FakeChannel::conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) {
    earlier.push_back({ref, conclusion});
    deliveries->concluded(id);
}

void FakeChannel::tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& told) {
    news.emplace_back(ref, told);
    if (told.state == EarlierNews::State::goes_on) deliveries->concluded(id);
}

void FakeChannel::update(DeliveryId, CardState state) {
    states.push_back(state);
    if (state.votes.empty()) return;
    progress_lines.push_back(std::to_string(state.votes.size()) + " of " + std::to_string(state.required) + ": " +
                             state.votes.back().person);
}

void FakeChannel::remind(DeliveryId id, const Reminder& reminder) { reminded.emplace_back(id, reminder); }

void FakeChannel::session_ended(SessionEnd end) { sessions_ended.push_back(std::move(end)); }

void FakeChannel::announce(Announcement announcement) {
    const auto id = announcement.id;
    const MessageRef ref{{name_, announcement.to.chat, "", "m" + std::to_string(id)}, 0};
    announced.push_back(std::move(announcement));
    if (mood == Mood::delivers) return deliveries->delivered(id, ref, true);
    if (mood == Mood::fails) return deliveries->undeliverable(id, "the platform said no");
}

// A task group may end the wait.
asio::awaitable<void> FakeRuntime::heard() const {
    if (!hangs) co_return;
    asio::steady_timer timer{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    const auto waiting = waiting_;
    waiting->push_back(&timer);
    boost::system::error_code failed;
    while (hangs && failed != asio::error::operation_aborted) {
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, failed));
    }
    std::erase(*waiting, &timer);
    if (hangs) throw boost::system::system_error{asio::error::operation_aborted};
}

void FakeRuntime::listen() {
    hangs = false;
    for (auto* timer : *waiting_) timer->cancel();
}

asio::awaitable<Result<void>> FakeRuntime::forward(Verdict verdict) {
    co_await heard();
    if (on_forward) on_forward();
    if (broken) co_return Error{Errc::unavailable, "pipe closed"};
    forwarded.push_back(std::move(verdict));
    co_return Result<void>{};
}

asio::awaitable<Result<void>> FakeRuntime::interrupt(Asker who, std::string why) {
    co_await heard();
    const bool is_there = in_session.empty() || covers(who, {who.agent_id, in_session});
    if (!interruptible || !is_there) co_return co_await Runtime::interrupt(who, std::move(why));
    interrupted_in.push_back(who);
    interrupted.push_back(why + ", after " + std::to_string(forwarded.size()));
    co_return Result<void>{};
}

Result<Permit> FakeAuthoriser::permit(const Attempt& attempt, const Request& request, const Route& route,
                                      const std::vector<Option>&, const Configuration& configuration) const {
    const auto* person = configuration.person_of(attempt.principal);
    if (person == nullptr) return Error{Errc::not_authorised, "unknown principal"};
    const auto deciders = deciders_of(configuration, route, request);
    if (!std::ranges::binary_search(deciders, person->name)) return Error{Errc::not_authorised, "not a decider"};
    return Permit{person->name};
}

std::string FakeGuard::clean(std::string_view text) const {
    std::string cleaned{text};
    const auto secret = cleaned.find("hunter2");
    if (secret != std::string::npos) cleaned.replace(secret, 7, "«redacted»");
    return cleaned;
}

std::string FakeGuard::digest(std::string_view text) const { return "digest-of-" + std::to_string(text.size()); }

Configuration small_configuration() {
    Configuration configuration;
    int number = 1;
    for (const auto* name : {"alice", "bob", "carol"}) {
        configuration.people[name] = {.name = name,
                                      .principals = {"test:" + std::string{name}, "pager:" + std::to_string(number++)},
                                      .permissions = {Permission::approve, Permission::approve_always}};
    }
    configuration.channels["ops"] = {.name = "ops", .kind = "test"};
    configuration.channels["pager"] = {.name = "pager", .kind = "test"};
    configuration.routes.push_back(
        {.name = "all", .steps = {{.channel = "ops", .chat = "room"}}, .deciders = {"alice", "bob", "carol"}});
    configuration.ask_limits = {.requests = 1'000'000, .bytes = 1ULL << 40U};  // no time passes between two asks here
    return configuration;
}

Request shell_request(Ulid id, const std::string& command) {
    Approval approval{.subject = ToolUse{"Bash", "t1"}, .display_text = command};
    approval.options = {{.option_id = "allow", .label = "Allow", .effect = Effect::allow, .scope = Scope::once},
                        {.option_id = "session", .label = "Session", .effect = Effect::allow, .scope = Scope::session},
                        {.option_id = "deny", .label = "Deny", .effect = Effect::deny, .scope = Scope::once}};
    Request request{.id = id, .agent_id = "dev", .runtime = "test", .session_key = "s1", .cwd = "/w"};
    request.args_hash = {.hex = "hash-of-" + command, .canonical = true};
    request.judgement = {.risk = {RiskLevel::low, "test"}, .policy = {}, .may_grant = true};
    request.body = std::move(approval);
    return request;
}

Request question_request(Ulid id) {
    Request request{.id = id, .agent_id = "dev", .runtime = "test", .session_key = "s1", .cwd = "/w"};
    request.args_hash = {.hex = "hash-of-question", .canonical = true};
    request.body =
        Questionnaire{{{.question_id = "q1", .text = "Which?", .choices = {{"A", ""}, {"B", ""}}, .free_text = true},
                       {.question_id = "q2", .text = "Password?", .free_text = true, .secret = true}}};
    return request;
}

World::World(Configuration configuration)
    : hub{io.get_executor(),
          {.ledger = ledger, .clock = clock, .ids = ids, .authoriser = authoriser, .guard = guard},
          std::make_shared<const Configuration>(std::move(configuration)),
          [this](const std::string& what) { stray.push_back(what); }} {
    ops.deliveries = &hub.deliveries();
    pager.deliveries = &hub.deliveries();
    hub.add_channel(ops);
    hub.add_channel(pager);
}

// Every test of the hub is also a scenario: each request gets at most one terminal record (I3), and none ends without
// one. A test may leave requests open, and one that poisoned the log has ended some unlogged (I1).
World::~World() {
    const auto requests = ledger.ids_of({"request"});
    const auto terminals = ledger.ids_of({"decision", "ended"});
    for (const auto& id : terminals) EXPECT_EQ(terminals.count(id), 1U) << "terminal records of request " << id;
    if (!ledger.health() || ledger.waiting() > 0) return;
    std::size_t open = 0;
    for (const auto& id : requests) {
        if (terminals.contains(id)) continue;
        ++open;
        EXPECT_FALSE(hub.queries().ended(*Ulid::parse(id))) << "request " << id << " ended without a terminal record";
    }
    EXPECT_LE(open, hub.pending()) << "requests without a terminal record that the hub does not know any more";
}

void World::settle() {
    io.restart();
    io.poll();
}

void World::advance(std::chrono::milliseconds by) {
    clock.advance(by);
    settle();
}

Result<Ulid> World::ask(Request request, Runtime& from) {
    std::optional<Result<Ulid>> answer;
    asio::co_spawn(io, hub.asking().ask(std::move(request), from),
                   [&](const std::exception_ptr& failed, Result<Ulid> asked) {
                       if (failed) std::rethrow_exception(failed);
                       answer = std::move(asked);
                   });
    settle();
    if (!answer) throw std::logic_error{"ask is still waiting"};
    return *answer;
}

void World::begin_ask(Request request) {
    asio::co_spawn(io, hub.asking().ask(std::move(request), agent),
                   [](const std::exception_ptr&, const Result<Ulid>&) {});
    settle();
}

Result<Receipt> World::decide(Attempt attempt) {
    std::optional<Result<Receipt>> answer;
    hub.submit(std::move(attempt), [&](const Result<Receipt>& decided) { answer = decided; });
    settle();
    if (!answer) throw std::logic_error{"decide is still waiting"};
    return *answer;
}

Result<Carried> World::order(Order order) {
    std::optional<Result<Carried>> answer;
    hub.order(std::move(order), [&](const Result<Carried>& carried) { answer = carried; });
    settle();
    if (!answer) throw std::logic_error{"the order is still being carried out"};
    return *answer;
}

Order World::halt(const std::string& target, const std::string& person) const {
    Order order;
    order.target = target;
    order.principal = "test:" + person;
    order.where = {"ops", "room", "", "m1"};
    order.assurance = Assurance::chat;
    order.arrived = clock.boot();
    order.made = clock.wall();
    return order;
}

Order World::resume(const std::string& target, const std::string& person) const {
    auto order = halt(target, person);
    order.kind = Order::Kind::resume;
    return order;
}

Attempt World::click(const Ulid& id, const std::string& option, const std::string& person) const {
    return {.request_id = id,
            .principal = "test:" + person,
            .what = Choose{option},
            .where = {"ops", "room", "", "m1"},
            .assurance = Assurance::chat,
            .arrived = clock.boot(),
            .made = clock.wall()};
}

Attempt World::submit(const Ulid& id, std::vector<Answer> answers) const {
    auto attempt = click(id, "");
    attempt.what = Submit{std::move(answers)};
    return attempt;
}

void World::stop() {
    bool stopped = false;
    asio::co_spawn(io, hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    settle();
    if (!stopped) throw std::logic_error{"stop is still waiting"};
}

}  // namespace countersign::fakes
