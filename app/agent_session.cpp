// SPDX-License-Identifier: Apache-2.0
#include "app/agent_session.hpp"

#include "security/display.hpp"

#include <boost/asio/this_coro.hpp>

#include <csignal>
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
    co_await adapter_.run();
    child_->close_stdin();
    const auto status = co_await child_->finish();
    co_await tasks_.join();
    co_return status;
}

void AgentSession::stop() { ::kill(-child_->pid(), SIGTERM); }

std::string AgentSession::last_words() const {
    return security::display(bridge_.redactor().text(child_->stderr_tail()), security::DisplayMode::block);
}

}  // namespace countersign::app
