// SPDX-License-Identifier: Apache-2.0
#include "app/setup/test_approval.hpp"

#include "runtimes/event/translate.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <csignal>

namespace countersign::app::setup {

namespace asio = boost::asio;

namespace {

// An agent that asks one thing and does nothing with the answer.
class TestAgent final : public Runtime {
public:
    explicit TestAgent(asio::any_io_executor executor) : heard_{executor, asio::steady_timer::time_point::max()} {}

    asio::awaitable<Result<void>> forward(Verdict verdict) override {
        verdict_ = std::move(verdict);
        heard_.cancel();
        co_return Result<void>{};
    }
    // Empty if it was stopped before an answer arrived.
    asio::awaitable<std::optional<Outcome>> answer() {
        boost::system::error_code ignored;
        if (!verdict_ && !stopped_) co_await heard_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (!verdict_) co_return std::nullopt;
        co_return verdict_->outcome;
    }
    void stop() {
        stopped_ = true;
        heard_.cancel();
    }

private:
    asio::steady_timer heard_;
    std::optional<Verdict> verdict_;
    bool stopped_ = false;
};

asio::awaitable<void> stop_on_signal(asio::signal_set& signals, TestAgent& agent) {
    co_await signals.async_wait(asio::use_awaitable);
    agent.stop();
}

std::string test_event(const Ulid& id) {
    return fmt::format(
        R"({{"type":"approval_request","approvalId":"{}","approvalSource":"runtime_tool","timeoutMs":600000,)"
        R"("subject":{{"kind":"tool_use","toolName":"Bash","toolId":"setup","rawInput":)"
        R"({{"command":"echo this is a test, nothing is run"}},"displayArgs":{{}}}},)"
        R"("options":[{{"optionId":"allow","label":"Allow once","nativeDecision":"allow_once"}},)"
        R"({{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"}}]}})",
        id.str());
}

}  // namespace

asio::awaitable<Result<TestAnswer>> test_approval(Host& host) {
    const auto home = host.home();
    const auto rules = home.rules();
    const auto redactor = home.redactor.now();
    auto translated = runtimes::event::translate(
        test_event(home.ids.next()),
        {.agent_id = "setup", .session_key = "setup", .rules = rules, .redactor = *redactor});
    if (!translated) co_return translated.error();
    TaskGroup beside{host.io.get_executor(), host.say};
    run_parts(host, beside);
    TestAgent agent{home.executor};
    asio::signal_set signals{host.io, SIGINT, SIGTERM, SIGHUP};
    beside.spawn(stop_on_signal(signals, agent));

    const auto id = translated->request.id;
    const auto asked = co_await home.hub.ask(std::move(translated->request), agent);
    const auto outcome = co_await agent.answer();
    const auto winner = host.bridge->hub().queries().ended(id);
    if (!outcome) home.hub.withdraw(id, agent, "the set-up was stopped");
    home.hub.gone(agent, {}, "the test is over");
    const auto closed = co_await close_all(host);
    beside.cancel();
    co_await beside.join();
    if (!asked) co_return asked.error();
    if (!closed) co_return closed.error();
    if (!outcome) co_return TestAnswer{};
    co_return TestAnswer{.outcome = *outcome,
                         .person = winner ? winner->decided_by : std::string{},
                         .channel = winner ? winner->channel : std::string{}};
}

std::string unproved(const TestAnswer& answer, const std::string& person, const std::string& channel) {
    if (answer.outcome != Outcome::allowed && answer.outcome != Outcome::denied) return "Nobody answered the test";
    if (answer.person == person && answer.channel == channel) return {};
    if (answer.person.empty() || answer.channel.empty()) {
        return fmt::format("The test was not answered by {} on {}, but by a rule", person, channel);
    }
    return fmt::format("The test was answered by {} on {}, not by {} on {}", answer.person, answer.channel, person,
                       channel);
}

}  // namespace countersign::app::setup
