// SPDX-License-Identifier: Apache-2.0
#include "runtimes/look_threads.hpp"

#include "core/limits.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <utility>

namespace countersign::runtimes {

namespace asio = boost::asio;

struct LookThreads::Look {
    enum class State { waiting, running, left, over };
    State state = State::waiting;  // guarded by the mutex
    std::function<void()> work;    // used by the look's thread only, once running
    // Owner's thread only.
    asio::steady_timer* bell = nullptr;
    bool over = false;
    bool done = false;  // whether the work succeeded
};

struct LookThreads::Shared {
    explicit Shared(asio::any_io_executor owner) : executor{std::move(owner)} {}
    std::mutex mutex;  // guards everything below
    std::condition_variable wake;
    std::deque<std::shared_ptr<Look>> waiting;
    std::size_t busy = 0;
    std::size_t left = 0;  // how many of the busy threads were abandoned
    bool closed = false;   // the executor may be gone
    asio::any_io_executor executor;
};

namespace {

std::atomic<bool> any_left_behind = false;

// Running out of memory or any other exception means that nothing was seen.
bool succeeds(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// Signals are for the owner's thread; here they would only interrupt a read.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

}  // namespace

LookThreads::LookThreads(asio::any_io_executor executor, Clock& clock)
    : executor_{std::move(executor)}, clock_{clock}, shared_{std::make_shared<Shared>(executor_)} {}

LookThreads::~LookThreads() {
    bool hangs = false;
    {
        const std::lock_guard lock{shared_->mutex};
        shared_->closed = true;
        shared_->waiting.clear();
        hangs = shared_->busy > 0;
    }
    shared_->wake.notify_all();
    if (hangs) any_left_behind = true;
    for (auto& thread : threads_) hangs ? thread.detach() : thread.join();
}

bool LookThreads::left_behind() { return any_left_behind; }

void LookThreads::serve(const std::shared_ptr<Shared>& shared) {
    std::unique_lock lock{shared->mutex};
    for (;;) {
        shared->wake.wait(lock, [&] { return shared->closed || !shared->waiting.empty(); });
        if (shared->closed) return;
        const auto look = std::move(shared->waiting.front());
        shared->waiting.pop_front();
        look->state = Look::State::running;
        ++shared->busy;
        lock.unlock();
        const bool done = succeeds(look->work);
        look->work = nullptr;
        lock.lock();
        --shared->busy;
        if (look->state == Look::State::left) --shared->left;
        look->state = Look::State::over;
        if (shared->closed) return;
        asio::post(shared->executor, [look, done] {
            look->over = true;
            look->done = done;
            if (look->bell != nullptr) look->bell->cancel();
        });
    }
}

void LookThreads::start_thread() {
    const NoSignals none;
    try {
        threads_.emplace_back([shared = shared_] {
            ::pthread_setname_np(::pthread_self(), "file-look");
            serve(shared);
        });
    } catch (const std::system_error&) {
        return;  // continue with the existing threads
    }
}

bool LookThreads::hand_over(const std::shared_ptr<Look>& look) {
    const std::lock_guard lock{shared_->mutex};
    const bool all_hang = shared_->left == limits::file_look_threads_max;
    if (all_hang || shared_->waiting.size() >= limits::file_looks_waiting_max) return false;
    const auto idle = threads_.size() - shared_->busy;
    if (idle <= shared_->waiting.size() && threads_.size() < limits::file_look_threads_max) start_thread();
    if (threads_.empty()) return false;
    shared_->waiting.push_back(look);
    shared_->wake.notify_one();
    return true;
}

void LookThreads::leave(const std::shared_ptr<Look>& look) {
    look->bell = nullptr;
    const std::lock_guard lock{shared_->mutex};
    if (look->state == Look::State::waiting) std::erase(shared_->waiting, look);
    if (look->state != Look::State::running) return;
    look->state = Look::State::left;
    ++shared_->left;
}

asio::awaitable<void> LookThreads::ended(std::shared_ptr<Look> look) {
    boost::system::error_code ignored;
    // Both run on the owner's thread, so the bell cannot ring between the check and the wait.
    if (!look->over) co_await look->bell->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<bool> LookThreads::run(std::function<void()> work) {
    using namespace asio::experimental::awaitable_operators;
    const auto look = std::make_shared<Look>();
    look->work = std::move(work);
    asio::steady_timer bell{executor_, asio::steady_timer::time_point::max()};
    look->bell = &bell;
    if (!hand_over(look)) co_return false;
    // Also runs when this task is cancelled and its frame is destroyed.
    const auto leaves = [this](const std::shared_ptr<Look>* one) { leave(*one); };
    const std::unique_ptr<const std::shared_ptr<Look>, decltype(leaves)> leaving{&look, leaves};
    co_await (ended(look) || clock_.sleep_until(clock_.boot() + limits::file_look_max));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    co_return look->done;
}

}  // namespace countersign::runtimes
