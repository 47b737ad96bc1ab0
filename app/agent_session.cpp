// SPDX-License-Identifier: Apache-2.0
#include "app/agent_session.hpp"

#include "security/display/display.hpp"

namespace countersign::app {

namespace asio = boost::asio;

Result<std::unique_ptr<AgentSession>> AgentSession::start(AgentHome home, Options options) {
    auto child = net::Child::start(home.executor, options.child);
    if (!child) return child.error();
    return std::unique_ptr<AgentSession>{new AgentSession{std::move(home), std::move(options), std::move(*child)}};
}

AgentSession::AgentSession(AgentHome home, Options options, std::unique_ptr<net::Child> child)
    : home_{std::move(home)},
      child_{std::move(child)},
      adapter_{options.adapter(*child_)},
      tasks_{home_.executor, [complain = options.complaint](const std::string& what) {
                 if (complain) complain(what);
             }} {}

asio::awaitable<net::ExitStatus> AgentSession::run() {
    tasks_.spawn(child_->collect_stderr());
    tasks_.spawn(stop_listening_after_its_end());
    co_await adapter_->run();
    child_->close_stdin();
    const auto status = co_await child_->finish();
    child_->close_output();
    // Exiting with an error is only a failure if we did not cause it.
    const bool failed = !status.clean() && stopped_because_.empty() && halted_because().empty();
    home_.hub.session_ended(*adapter_, {}, failed ? describe(status) : std::string{});
    tasks_.cancel();
    co_await tasks_.join();
    co_return status;
}

// A process that the agent started may keep its pipes open forever; everything written by now is still read.
asio::awaitable<void> AgentSession::stop_listening_after_its_end() {
    co_await child_->ended();
    co_await home_.clock.sleep_until(home_.clock.boot() + limits::child_drain_max);
    child_->close_output();
}

asio::awaitable<void> AgentSession::stop_child() { co_await child_->stop(); }

void AgentSession::stop(const std::string& why) {
    if (stopped_because_.empty()) {
        stopped_because_ = why;
        adapter_->ends_because("stopped: " + why);
        tasks_.spawn(stop_child());
    }
}

std::string AgentSession::last_words() const {
    return security::display(home_.redactor.now()->text(child_->stderr_tail()), security::DisplayMode::block);
}

}  // namespace countersign::app
