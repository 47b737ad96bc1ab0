// SPDX-License-Identifier: Apache-2.0
#include "app/agent_session.hpp"

#include "security/display.hpp"

#include <boost/asio/this_coro.hpp>

#include <filesystem>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// Where the child will be: what was asked for, or where we are.
std::string working_directory(const std::string& asked) {
    std::error_code ignored;
    return asked.empty() ? std::filesystem::current_path(ignored).string() : asked;
}

}  // namespace

Result<std::unique_ptr<AgentSession>> AgentSession::start(Bridge& bridge, Options options) {
    auto child = net::Child::start(bridge.hub().executor(), options.child);
    if (!child) return child.error();
    return std::unique_ptr<AgentSession>{new AgentSession{bridge, std::move(options), std::move(*child)}};
}

AgentSession::AgentSession(Bridge& bridge, Options options, std::unique_ptr<net::Child> child)
    : bridge_{bridge},
      child_{std::move(child)},
      adapter_{{.agent_id = std::move(options.agent_id),
                .session_key = std::move(options.session_key),
                .cwd = working_directory(options.child.directory),
                .rules = [&bridge] { return bridge.configuration().rules; },
                .message = std::move(options.message),
                .refused =
                    [complain = options.complaint](const Error& why) {
                        if (complain) complain(describe(why));
                    }},
               *child_,
               bridge.hub(),
               bridge.redactor()},
      tasks_{bridge.hub().executor(), [complain = options.complaint](const std::string& what) {
                 if (complain) complain(what);
             }} {}

asio::awaitable<net::ExitStatus> AgentSession::run() {
    tasks_.spawn(child_->collect_stderr());
    tasks_.spawn(stop_listening_after_its_end());
    co_await adapter_.run();
    child_->close_stdin();
    const auto status = co_await child_->finish();
    child_->close_output();
    tasks_.cancel();
    co_await tasks_.join();
    co_return status;
}

// Something that the agent started may hold its pipes open for ever; what it has written by now is still read.
asio::awaitable<void> AgentSession::stop_listening_after_its_end() {
    co_await child_->ended();
    co_await bridge_.clock().sleep_until(bridge_.clock().boot() + limits::child_drain_max);
    child_->close_output();
}

asio::awaitable<void> AgentSession::stop_child() { co_await child_->stop(); }

void AgentSession::stop(const std::string& why) {
    if (stopped_because_.empty()) {
        stopped_because_ = why;
        adapter_.ends_because("stopped: " + why);
        tasks_.spawn(stop_child());
    }
}

std::string AgentSession::last_words() const {
    return security::display(bridge_.redactor().text(child_->stderr_tail()), security::DisplayMode::block);
}

}  // namespace countersign::app
