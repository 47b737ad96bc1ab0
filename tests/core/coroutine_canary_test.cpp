// SPDX-License-Identifier: Apache-2.0
// co_await patterns that some compilers miscompile: each object must be destroyed exactly once (docs/adr/0002).
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Counts constructions and destructions, and detects a double destruction.
class Tracked {
public:
    Tracked() { ++alive; }
    Tracked(const Tracked&) { ++alive; }
    Tracked(Tracked&&) noexcept { ++alive; }
    Tracked& operator=(const Tracked&) = default;
    Tracked& operator=(Tracked&&) = default;
    ~Tracked() {
        if (mark_ != living) ++ended_twice;
        mark_ = 0;
        --alive;
    }
    static inline int alive = 0;
    static inline int ended_twice = 0;

private:
    static constexpr unsigned living = 0xC0FFEE;
    volatile unsigned mark_ = living;
};
struct Aggregate {
    Tracked tracked;
    int number = 0;
};

template <class T> awaitable<int> takes(T) { co_return 1; }
template <class T> awaitable<int> borrows(const T&) { co_return 1; }
awaitable<int> calls(std::function<int()> function) { co_return function(); }
awaitable<Tracked> makes() { co_return Tracked{}; }

awaitable<void> lambda_by_value() {
    Tracked tracked;
    co_await takes([tracked] {});
}
awaitable<void> lambda_by_reference() {
    Tracked tracked;
    co_await borrows([tracked] {});
}
awaitable<void> lambda_as_function() {
    Tracked tracked;
    co_await calls([tracked] { return 1; });
}
awaitable<void> aggregate_by_value() { co_await takes(Aggregate{.tracked = {}, .number = 1}); }
awaitable<void> aggregate_by_reference() { co_await borrows(Aggregate{.tracked = {}, .number = 1}); }
awaitable<void> aggregate_from_await() {
    Aggregate aggregate{co_await makes(), 2};
    co_await borrows(aggregate);
}
awaitable<void> conditional(bool first) {
    const Tracked tracked = first ? co_await makes() : Tracked{};
    co_await borrows(tracked);
}
awaitable<void> vector_of_temporaries() { co_await takes(std::vector<Tracked>{Tracked{}, Tracked{}}); }
awaitable<void> inside_try() {
    try {
        Tracked tracked;
        co_await takes([tracked] {});
        throw std::string{"expected"};
    } catch (const std::string&) {}
}
awaitable<void> spawned_lambda() {
    Tracked tracked;
    auto executor = co_await asio::this_coro::executor;
    auto task = [tracked]() -> awaitable<void> { co_return; };
    co_await asio::co_spawn(executor, std::move(task), asio::use_awaitable);
}
awaitable<void> initiated_inline() {
    Tracked tracked;
    auto executor = co_await asio::this_coro::executor;
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [tracked, executor](auto handler) {
            asio::post(executor, [handler = std::move(handler)]() mutable { std::move(handler)(); });
        },
        asio::use_awaitable);
}
awaitable<void> shared() {
    auto tracked = std::make_shared<Tracked>();
    co_await takes(tracked);
}

TEST(CoroutineCanary, EveryTemporaryOfACoAwaitIsDestroyedExactlyOnce) {
    asio::io_context io;
    const auto run = [&](awaitable<void> task, const char* pattern) {
        Tracked::alive = 0;
        Tracked::ended_twice = 0;
        asio::co_spawn(io, std::move(task), [](const std::exception_ptr& failed) {
            if (failed) std::rethrow_exception(failed);
        });
        io.restart();
        io.run();
        EXPECT_EQ(Tracked::alive, 0) << pattern;
        EXPECT_EQ(Tracked::ended_twice, 0) << pattern;
    };
    run(lambda_by_value(), "lambda by value");
    run(lambda_by_reference(), "lambda by reference");
    run(lambda_as_function(), "lambda as std::function");
    run(aggregate_by_value(), "aggregate by value");
    run(aggregate_by_reference(), "aggregate by reference");
    run(aggregate_from_await(), "aggregate made from an await");
    run(conditional(true), "conditional, awaited branch");
    run(conditional(false), "conditional, other branch");
    run(vector_of_temporaries(), "vector of temporaries");
    run(inside_try(), "inside try");
    run(spawned_lambda(), "spawned lambda");
    run(initiated_inline(), "async_initiate inline");
    run(shared(), "shared pointer");
}

}  // namespace
}  // namespace countersign
