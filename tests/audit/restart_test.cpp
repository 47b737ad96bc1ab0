// SPDX-License-Identifier: Apache-2.0
// The hub and its log, killed and stopped at random moments, with agents that come back or don't. In every run each
// request ends once, an agent gets one answer, and no button of an earlier process is valid in a later one (I12).
#include "audit/ledger.hpp"
#include "tests/audit/log_world.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace countersign::audit {
namespace {

using fakes::FakeAuthoriser;
using fakes::FakeChannel;
using fakes::FakeGuard;
using fakes::FakeIds;
using fakes::FakeRuntime;
using fakes::shell_request;

constexpr std::uint64_t lives = 60;
constexpr int steps = 60;

class RestartTest : public testing::Test, public LogWorld {
protected:
    // The parts that die together.
    struct Process {
        Process(RestartTest& test, Log& log)
            : ledger{log},
              hub{test.context().get_executor(),
                  {.ledger = ledger,
                   .clock = test.clock,
                   .ids = test.ids,
                   .authoriser = test.authoriser,
                   .guard = test.guard},
                  std::make_shared<const Configuration>(fakes::small_configuration()),
                  [](const std::string& what) { ADD_FAILURE() << what; }} {
            ops.deliveries = &hub.deliveries();
            hub.add_channel(ops);
            hub.remember_earlier(log.earlier().used_ids);
            hub.remember_ended(log.earlier().ended);
            hub.conclude_earlier(log.earlier().stale_messages);
            hub.await_orphans(log.earlier().orphans);
        }
        EmbeddedLedger ledger;
        FakeChannel ops{"ops"};
        Hub hub;
    };

    void begin() {
        ASSERT_TRUE(open());
        process.emplace(*this, *log);
        child.forwarded.clear();
        const auto still_waiting = waiting;
        for (const auto& [id, request] : still_waiting) {
            if (random() % 4 == 0) {
                waiting.erase(id);  // its sidecar died too, and never comes back
            } else {
                ask(request, sidecar);
            }
        }
        poll();
    }
    void ask(const Request& request, FakeRuntime& from) {
        asked.insert(request.id);
        if (&from == &sidecar) waiting.insert_or_assign(request.id, request);
        boost::asio::co_spawn(context(), process->hub.asking().ask(request, from),
                              [this, id = request.id](const std::exception_ptr& failed, const Result<Ulid>& result) {
                                  if (failed) std::rethrow_exception(failed);
                                  if (!result) waiting.erase(id);  // refused by its sidecar
                              });
    }
    // Agents receive their answers, and the cards that people saw are kept.
    void look() {
        for (auto* runtime : {&sidecar, &child}) {
            for (const auto& verdict : std::exchange(runtime->forwarded, {})) {
                heard[verdict.request_id].push_back(verdict.outcome);
                waiting.erase(verdict.request_id);
            }
        }
        for (const auto& card : std::exchange(process->ops.presented, {})) {
            auto& newest = generations[card.request->id];
            if (newest.process != processes) {
                EXPECT_GT(static_cast<std::int64_t>(card.generation), newest.generation) << card.request->id.str();
            }
            newest = {processes, card.generation};
        }
    }
    // Everything that was queued is on disk and has been acted upon.
    void settle_down() {
        for (int turn = 0; turn < 3; ++turn) {
            ASSERT_TRUE(append(entry("n")));
            poll();
        }
        look();
    }
    void die() {
        look();
        process.reset();
        kill();
        ++processes;
    }
    void stop() {
        bool stopped = false;
        boost::asio::co_spawn(context(), process->hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
        context().restart();
        while (!stopped) context().run_one();
        look();
        ASSERT_TRUE(close());
        process.reset();
        log.reset();
        ++processes;
    }
    Ulid some_id() {
        auto at = asked.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random() % asked.size()));
        return *at;
    }
    void decide(const Ulid& id) {
        process->hub.submit({.request_id = id,
                             .principal = "test:alice",
                             .what = Choose{random() % 2 == 0 ? "allow" : "deny"},
                             .where = {"ops", "room", "", "m1"},
                             .assurance = Assurance::chat,
                             .arrived = clock.boot(),
                             .made = clock.wall()},
                            {});
    }
    void step() {
        switch (random() % 10) {
        case 0:
        case 1:
        case 2:
            return ask(shell_request(ids.next()), sidecar);
        case 3:
            return ask(shell_request(ids.next()), child);
        case 4:
        case 5:
        case 6:
            return asked.empty() ? void() : decide(some_id());
        case 7:
            settle_down();
            clock.advance(random() % 3 == 0 ? limits::orphan_wait_max : std::chrono::milliseconds{random() % 30'000});
            return;
        case 8:
            die();
            return begin();
        default:
            if (random() % 2 == 0) return settle_down();
            stop();
            return begin();
        }
    }
    void live(std::uint64_t seed) {
        random.seed(seed);
        sidecar.sidecar = true;
        begin();
        for (int i = 0; i < steps && !HasFatalFailure(); ++i) {
            step();
            if (random() % 3 != 0) poll();
            look();
        }
        die();
        waiting.clear();
        begin();
        clock.advance(limits::orphan_wait_max);
        poll();
        settle_down();
        EXPECT_EQ(process->hub.orphans(), 0U);
        stop();
        holds();
    }
    void holds() {
        std::map<std::string, int> terminals;
        std::set<std::string> allowed;
        for (const auto& record : records()) {
            const std::string id{record.text("requestId")};
            if (record.kind == "request") terminals.try_emplace(id, 0);
            if (record.kind == "decision" || record.kind == "ended") ++terminals[id];
            if (record.text("decision") == "allowed") allowed.insert(id);
        }
        for (const auto& [id, count] : terminals) EXPECT_EQ(count, 1) << id;
        for (const auto& [id, outcomes] : heard) {
            EXPECT_EQ(outcomes.size(), 1U) << id.str();
            if (outcomes[0] == Outcome::allowed) EXPECT_TRUE(allowed.contains(id.str())) << id.str();
        }
        EXPECT_TRUE(verified().ok());
    }

    struct Newest {
        int process = -1;
        std::int64_t generation = -1;
    };
    std::mt19937_64 random;
    FakeIds ids;
    FakeAuthoriser authoriser;
    FakeGuard guard;
    FakeRuntime sidecar;
    FakeRuntime child;
    std::optional<Process> process;
    int processes = 0;
    std::map<Ulid, Request> waiting;  // requests of the sidecar that have no answer yet
    std::set<Ulid> asked;
    std::map<Ulid, std::vector<Outcome>> heard;
    std::map<Ulid, Newest> generations;
};

class Lives : public RestartTest, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(Lives, I12_EachRequestEndsOnceAndEachAgentGetsOneAnswerWheneverTheHubDies) { live(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Seeds, Lives, testing::Range(std::uint64_t{0}, lives));

}  // namespace
}  // namespace countersign::audit
