// SPDX-License-Identifier: Apache-2.0
// Host: what `run`, `serve`, `demo` and `setup` share. The hub (here, or in another process), the parts in the order of
// the flow, one agent, and an orderly end.
#pragma once

#include "app/agent_session.hpp"
#include "app/bridge.hpp"
#include "app/join_hub.hpp"
#include "app/part.hpp"
#include "app/voice.hpp"
#include "channels/catalogue.hpp"
#include "core/ports/http_client.hpp"
#include "runtimes/look_threads.hpp"
#include "sidecar/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

// Everything that lives while the agent does. Members are destroyed from the last to the first, and so are the parts.
struct Host {
    ~Host();

    boost::asio::io_context io{1};
    // One of the two: the hub of the state directory, or a sidecar of it.
    std::unique_ptr<Bridge> bridge;
    std::unique_ptr<Sidecar> sidecar;
    std::unique_ptr<runtimes::LookThreads> looks;  // since the agent was started
    std::unique_ptr<HttpClient> http;              // since a part wanted it
    std::vector<std::unique_ptr<Part>> parts;      // in the order of the flow
    std::size_t started = 0;                       // so many of them
    std::unique_ptr<sidecar::Server> sidecars;
    std::function<boost::asio::awaitable<Result<void>>()> reload;  // none: this process has no configuration to reload
    bool reload_refused = false;                                   // the last one
    std::function<void(const std::string& line)> say;              // beside the cards, or to standard output
    // An agent's words, in the same place: each row names the speaker.
    std::function<void(const std::string& speaker, const std::string& words)> quote = quote_to_output;
    std::function<channels::Language()> language = [] { return channels::Language{}; };  // of who reads that
    std::unique_ptr<AgentSession> agent;
    bool agent_ended = false;
    std::optional<Error> hangs;  // Errc::timeout: work on the disk that did not end
    bool narrates = false;       // says each request on its own output
    std::function<void()> stop_waiting = [] {};

    [[nodiscard]] AgentHome home() { return bridge ? bridge->home() : sidecar->home(); }
    [[nodiscard]] runtimes::FileLooks& file_looks() {
        if (!looks) looks = std::make_unique<runtimes::LookThreads>(io.get_executor(), home().clock);
        return *looks;
    }
    [[nodiscard]] HttpClient& http_client();
    // Of the parts that have one.
    [[nodiscard]] std::vector<NamedOutbox> outboxes() const;
    // Why this hub could not do its work now, a line each: its log, then its parts.
    [[nodiscard]] std::vector<std::string> unready() const;
    // The catalogue's words, as everything else that stands beside the cards.
    void say_words(channels::Key key, std::initializer_list<channels::Argument> arguments) {
        say(channels::text(language(), key, arguments));
    }
    // Ends the agent, or the wait for sidecars after it.
    void stop(const std::string& why);
};

// Runs what a command does with the host to its end, and until nothing is left on the loop. Returns the exit code.
int run_on(Host& host, boost::asio::awaitable<int> command);

// Starts the parts that were added since the last call, side by side. The error is that of the first in the list.
boost::asio::awaitable<Result<void>> start_parts(Host& host);

// Spawns Part::run of each part.
void run_parts(Host& host, TaskGroup& tasks);

// Runs the agent until it ends or somebody stops us (SIGINT, SIGTERM, SIGHUP, or Host::stop called by a channel);
// without an agent only somebody does. Where there is no controlling terminal that could hang up, SIGHUP reloads the
// configuration instead. Waits for sidecars that still ask here, then closes everything in order: fronts, requests,
// channels, log. Returns the exit code; `finished` is called after the log is closed, if all went well. Does not return
// if the disk hangs.
boost::asio::awaitable<int> host_until_end(Host& host, std::function<void(const net::ExitStatus&)> finished);

// Everything but the agent, in the order of the flow; the log last, because everything above it may still have
// something to say. Does not return if the log's disk hangs, because its writer can then be neither joined nor
// believed.
boost::asio::awaitable<Result<void>> close_all(Host& host);

// The same end when a channel or the agent could not be started: closes what was opened, so that the log says that this
// hub stopped, and reports the error. Returns the exit code.
boost::asio::awaitable<int> give_up(Host& host, Error why);

}  // namespace countersign::app
