// SPDX-License-Identifier: Apache-2.0
// The cost of the outbox: memory of a thousand chats with a hundred letters each, and the cost of one more letter when
// many wait, as a ratio to the cost when few do. The letters are like those of the delivery engine: calls that are made
// when their turn comes.
#include "channels/outbox.hpp"
#include "core/ulid.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <malloc.h>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace countersign;
using namespace countersign::channels;
namespace asio = boost::asio;

constexpr std::size_t bytes_wanted = 64 * 1024 * 1024;

struct World {
    asio::io_context io;
    fakes::FakeClock clock;
    fakes::FakeIds ids;
    TaskGroup tasks{io.get_executor(), [](const std::string&) {}};
    Outbox outbox{io.get_executor(), tasks, clock, ids};
    std::size_t sent = 0;

    asio::awaitable<Sending> send(std::string /*chat*/, std::function<std::optional<std::string>()> make) {
        sent += make().has_value() ? 1 : 0;
        co_return Sending{};
    }
    LetterId put(std::size_t chat, std::size_t message) {
        const auto name = "-100123456" + std::to_string(1'000 + chat);
        const auto make = [this, message, text = std::to_string(message)]() -> std::optional<std::string> {
            return message <= sent + 1'000'000'000 ? std::optional{text} : std::nullopt;
        };
        // The data that the engine keeps for a call, and the work at its end.
        struct Call {
            std::string chat;
            std::string_view what;
            Urgency urgency;
            bool rated;
            std::chrono::milliseconds time;
            std::optional<Ulid> request;
        };
        const Call call{name, "edit", Urgency::other, true, std::chrono::hours{1}, Ulid{}};
        const auto done = [this, call, then = std::function<void(const Result<void>&)>{}](const Result<void>& result) {
            sent += !result && call.what.empty() ? 1 : 0;
            if (then) then(result);
        };
        const auto put = outbox.put({.chat = name,
                                     .urgency = message % 3 == 0 ? Urgency::conclusion : Urgency::other,
                                     .deadline = clock.boot() + std::chrono::hours{1},
                                     .send = [this, name, make] { return send(name, make); },
                                     .done = done});
        if (!put) std::puts("the outbox is full");
        return put ? *put : 0;
    }
    // Sends the remaining letters, because a pending task must not be cancelled from outside the event loop.
    ~World() {
        io.restart();
        io.poll();
    }
};

std::size_t allocated() { return ::mallinfo2().uordblks; }

// CPU time of this thread instead of wall time, so that a busy machine doesn't look like a slow outbox.
double cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds(const std::function<void()>& work) {
    const auto begun = cpu_seconds();
    work();
    return cpu_seconds() - begun;
}

// Nanoseconds for one put, one drop of a random letter, and one send, while this many letters wait in this many chats.
struct Cost {
    double put = 0;
    double drop = 0;
    double send = 0;
};
Cost cost_of(std::size_t chats, std::size_t letters) {
    constexpr std::size_t probes = 2'000;
    Cost cost;
    auto world = std::make_unique<World>();
    std::vector<LetterId> ids;
    for (std::size_t i = 0; i < chats * letters; ++i) ids.push_back(world->put(i % chats, i));
    std::vector<LetterId> more;
    cost.put = seconds([&] {
        for (std::size_t i = 0; i < probes; ++i) more.push_back(world->put(i % chats, i));
    });
    std::mt19937 random{1};
    std::shuffle(more.begin(), more.end(), random);
    cost.drop = seconds([&] {
        for (const auto id : more) world->outbox.drop(id);
    });
    const auto before = world->outbox.size();
    cost.send = seconds([&] {
        while (world->outbox.size() + probes > before && world->outbox.size() > 0) world->io.poll_one();
    });
    const auto sent = static_cast<double>(before - world->outbox.size());
    return {cost.put / probes * 1e9, cost.drop / probes * 1e9, cost.send / sent * 1e9};
}

Cost best_of_five(std::size_t chats, std::size_t letters) {
    auto best = cost_of(chats, letters);
    for (int round = 1; round < 5; ++round) {
        const auto cost = cost_of(chats, letters);
        best = {std::min(best.put, cost.put), std::min(best.drop, cost.drop), std::min(best.send, cost.send)};
    }
    return best;
}

bool measure_memory() {
    constexpr std::size_t chats = 1'000;
    constexpr std::size_t letters = 100;
    auto world = std::make_unique<World>();
    const auto before = allocated();
    for (std::size_t i = 0; i < chats * letters; ++i) world->put(i % chats, i);
    const auto waiting = world->outbox.size();
    const auto used = allocated() - before;
    std::printf("memory   %zu letters in %zu chats: %.1f MiB, %zu bytes a letter (at most 64 MiB: %s)\n", waiting,
                chats, static_cast<double>(used) / 1024 / 1024, used / waiting,
                used < bytes_wanted ? "holds" : "FAILS");
    return waiting == chats * letters && used < bytes_wanted;
}

}  // namespace

int main() {
    const bool holds = measure_memory();
    const auto few = best_of_five(20, 100);
    const auto many = best_of_five(1'000, 90);
    const auto line = [](const char* what, double small, double large) {
        std::printf("%-8s 2,000 wait: %9.0f a second; 90,000 wait: %9.0f a second; one costs %.1f times as much\n",
                    what, 1e9 / small, 1e9 / large, large / small);
    };
    line("put", few.put, many.put);
    line("drop", few.drop, many.drop);
    line("send", few.send, many.send);
    return holds ? 0 : 1;
}
