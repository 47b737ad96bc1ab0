// SPDX-License-Identifier: Apache-2.0
// Host: shared by `run`, `serve`, `demo` and `setup`. It has the hub (here, or in another process), the parts in the
// order of the flow, one agent, and the orderly shutdown.
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

// Everything that lives as long as the agent. Members and parts are destroyed from last to first.
struct Host {
    ~Host();

    boost::asio::io_context io{1};
    // Exactly one of the two: this process is the hub of the state directory, or a sidecar of it.
    std::unique_ptr<Bridge> bridge;
    std::unique_ptr<Sidecar> sidecar;
    std::unique_ptr<runtimes::LookThreads> looks;  // created with the agent
    std::unique_ptr<HttpClient> http;              // created when a part first needs it
    std::vector<std::unique_ptr<Part>> parts;      // in the order of the flow
    std::size_t started = 0;                       // how many of them were started
    std::unique_ptr<sidecar::Server> sidecars;
    std::function<boost::asio::awaitable<Result<void>>()> reload;  // empty: there is no configuration to reload
    bool reload_refused = false;                                   // whether the last reload was refused
    std::function<void(const std::string& line)> say;              // prints next to the cards, or to standard output
    // Prints an agent's text to the same place; each row names the speaker.
    std::function<void(const std::string& speaker, const std::string& words)> quote = quote_to_output;
    std::function<channels::Language()> language = [] { return channels::Language{}; };  // of the person who reads it
    std::unique_ptr<AgentSession> agent;
    bool agent_ended = false;
    std::optional<Error> hangs;  // Errc::timeout: disk work that did not end
    bool narrates = false;       // prints a line for each request
    std::function<void()> stop_waiting = [] {};

    [[nodiscard]] AgentHome home() { return bridge ? bridge->home() : sidecar->home(); }
    [[nodiscard]] runtimes::FileLooks& file_looks() {
        if (!looks) looks = std::make_unique<runtimes::LookThreads>(io.get_executor(), home().clock);
        return *looks;
    }
    [[nodiscard]] HttpClient& http_client();
    // The outboxes of the parts that have one.
    [[nodiscard]] std::vector<NamedOutbox> outboxes() const;
    // Why this hub could not do its work now, one line each: its log, then its parts.
    [[nodiscard]] std::vector<std::string> unready() const;
    // Says a text from the catalogue, in the reader's language.
    void say_words(channels::Key key, std::initializer_list<channels::Argument> arguments) {
        say(channels::text(language(), key, arguments));
    }
    // Ends the agent, or the wait for sidecars after it.
    void stop(const std::string& why);
};

// Runs the command until it ends and the event loop is empty. Returns the exit code.
int run_on(Host& host, boost::asio::awaitable<int> command);

// Starts the parts added since the last call, in parallel. Returns the error of the first failed part in the list.
boost::asio::awaitable<Result<void>> start_parts(Host& host);

// Spawns Part::run of each part.
void run_parts(Host& host, TaskGroup& tasks);

// Runs the agent until it ends or the process is told to stop (SIGINT, SIGTERM, SIGHUP, or Host::stop from a channel).
// Without an agent it runs until told to stop. Without a controlling terminal, SIGHUP reloads the configuration
// instead. Waits for sidecars that still use this hub, then closes everything in order: fronts, requests, channels,
// log. Returns the exit code; calls `finished` after the log is closed if all went well. Does not return if the disk
// hangs.
boost::asio::awaitable<int> host_until_end(Host& host, std::function<void(const net::ExitStatus&)> finished);

// Closes everything but the agent, in the order of the flow. The log is closed last, because every other part may still
// write to it. Does not return if the log's disk hangs, because its writer thread can then neither be joined nor
// trusted.
boost::asio::awaitable<Result<void>> close_all(Host& host);

// Used when a channel or the agent could not be started: closes what was opened, so that the log records the stop, and
// reports the error. Returns the exit code.
boost::asio::awaitable<int> give_up(Host& host, Error why);

}  // namespace countersign::app
