// SPDX-License-Identifier: Apache-2.0
#include "core/hub/task_group.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <list>
#include <utility>
#include <vector>

namespace countersign {

namespace asio = boost::asio;

struct TaskGroup::State {
    State(asio::any_io_executor on, std::function<void(const std::string&)> stray_handler)
        : executor{std::move(on)},
          stray{std::move(stray_handler)},
          empty{executor, asio::steady_timer::time_point::max()} {}

    asio::any_io_executor executor;
    std::function<void(const std::string&)> stray;
    asio::steady_timer empty;  // cancelled when the last task ends
    using Signal = asio::cancellation_signal;
    using Running = std::list<std::shared_ptr<Signal>>;
    Running running;

    // Outside of a handler, co_spawn in Boost 1.81 posts the cancellation with a raw pointer to the signal. So this
    // function posts it instead, and checks whether the task still exists. A task may end inside emit(), so the signal
    // is kept until then.
    void end(std::weak_ptr<Signal> task) const {
        if (task.expired()) return;
        asio::dispatch(executor, [task = std::move(task)] {
            if (const auto signal = task.lock()) signal->emit(asio::cancellation_type::terminal);
        });
    }

    void ended(Running::iterator self, const std::exception_ptr& exception) {
        running.erase(self);
        if (running.empty()) empty.cancel();
        if (!exception) return;
        try {
            std::rethrow_exception(exception);
        } catch (const boost::system::system_error& error) {
            if (error.code() != asio::error::operation_aborted) stray(error.what());
        } catch (const std::exception& error) {
            stray(error.what());
        } catch (...) {
            stray("an exception of unknown type");
        }
    }
};

namespace {

// co_spawn would run the task up to its first suspension inside spawn(), while the caller may be in the middle of
// changing the state. So a task starts on the next turn.
asio::awaitable<void> on_next_turn(asio::any_io_executor executor, asio::awaitable<void> task) {
    co_await asio::post(executor, asio::use_awaitable);
    co_await std::move(task);
}

struct Together {
    std::size_t left;
    asio::steady_timer over;  // cancelled when no task is left
};

asio::awaitable<void> one_of(asio::awaitable<void> task, std::shared_ptr<Together> all) {
    co_await std::move(task);
    if (--all->left == 0) all->over.cancel();
}

}  // namespace

TaskGroup::TaskGroup(asio::any_io_executor executor, std::function<void(const std::string&)> stray)
    : state_{std::make_shared<State>(std::move(executor), std::move(stray))} {}

TaskGroup::~TaskGroup() = default;

void TaskGroup::Handle::cancel() const {
    if (const auto state = state_.lock()) state->end(signal_);
}

TaskGroup::Handle TaskGroup::spawn(asio::awaitable<void> task) {
    const auto signal = std::make_shared<asio::cancellation_signal>();
    const auto self = state_->running.insert(state_->running.end(), signal);
    // If the executor is destroyed with tasks in it, the state outlives the group: each handler shares it.
    asio::co_spawn(
        state_->executor, on_next_turn(state_->executor, std::move(task)),
        asio::bind_cancellation_slot(signal->slot(), [state = state_, self](const std::exception_ptr& exception) {
            state->ended(self, exception);
        }));
    Handle handle;
    handle.state_ = state_;
    handle.signal_ = signal;
    return handle;
}

asio::awaitable<void> TaskGroup::run_together(std::vector<asio::awaitable<void>> tasks) {
    const auto all = std::make_shared<Together>(
        Together{tasks.size(), asio::steady_timer{state_->executor, asio::steady_timer::time_point::max()}});
    for (auto& task : tasks) spawn(one_of(std::move(task), all));
    boost::system::error_code ignored;
    while (all->left > 0) co_await all->over.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void TaskGroup::cancel() {
    const std::vector<std::weak_ptr<State::Signal>> running{state_->running.begin(), state_->running.end()};
    for (const auto& task : running) state_->end(task);  // a task that ends at once removes itself, and maybe others
}

asio::awaitable<void> TaskGroup::join() {
    while (!state_->running.empty()) {
        boost::system::error_code ignored;
        co_await state_->empty.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (ignored == asio::error::operation_aborted && !state_->running.empty()) {
            const auto cancelled = co_await asio::this_coro::cancellation_state;
            if (cancelled.cancelled() != asio::cancellation_type::none) throw boost::system::system_error{ignored};
        }
    }
}

std::size_t TaskGroup::size() const { return state_->running.size(); }

}  // namespace countersign
