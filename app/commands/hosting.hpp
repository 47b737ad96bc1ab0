// SPDX-License-Identifier: Apache-2.0
// What `demo` and `run` share: one agent, the hub it asks (here, or in another process), channels of people, and an
// orderly end.
#pragma once

#include "app/agent_session.hpp"
#include "app/bridge.hpp"
#include "app/outbox_listing.hpp"
#include "app/sidecar/server.hpp"
#include "app/sidecar/sidecar.hpp"
#include "app/voice.hpp"
#include "channels/catalogue.hpp"
#include "core/ports/http_client.hpp"
#include "gateway/webhooks.hpp"
#include "runtimes/look_threads.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

using Work = std::function<boost::asio::awaitable<void>()>;

// A part that takes another configuration without a restart. It reads and checks all that it needs, changes nothing and
// may block, on another thread; what it gives back puts that into force, on the owner's thread, and cannot fail.
using Prepare = std::function<Result<std::function<void()>>(const Configuration& wanted)>;

// Something that is only kept alive.
struct Service {
    virtual ~Service() = default;
};

// Everything that lives while the agent does. Members are destroyed from the last to the first.
struct Host {
    boost::asio::io_context io{1};
    // One of the two: the hub of the state directory, or a sidecar of it.
    std::unique_ptr<Bridge> bridge;
    std::unique_ptr<sidecar::Sidecar> sidecar;
    std::unique_ptr<runtimes::LookThreads> looks;  // since the agent was started
    std::unique_ptr<HttpClient> http;
    std::vector<std::unique_ptr<Service>> services;
    std::vector<std::unique_ptr<Channel>> channels;
    std::vector<gateway::Webhook> webhooks;  // of the channels
    std::unique_ptr<sidecar::Server> sidecars;
    std::vector<std::function<std::vector<std::string>()>> unready;  // of each channel: why it cannot do its work now
    std::vector<NamedOutbox> outboxes;                               // of the channels that have one
    std::vector<std::string> introductions;                          // of the channels: who they are and how they hear
    std::vector<Prepare> reloads;                                    // parts that a reload changes
    std::function<boost::asio::awaitable<Result<void>>()> reload;  // none: this process has no configuration to reload
    bool reload_refused = false;                                   // the last one
    std::vector<Work> beside;                                      // run beside the agent
    std::vector<Work> fronts_end;                                  // before the hub stops: nothing more comes in
    std::vector<Work> ends;                                        // after it stopped: what is still to be said is said
    std::vector<Work> log_closed;                                  // after the log was closed in order
    std::function<void(const std::string& line)> say;              // beside the cards, or to standard output
    // An agent's words, in the same place: each row names the speaker.
    std::function<void(const std::string& speaker, const std::string& words)> quote = quote_to_output;
    std::function<channels::Language()> language = [] { return channels::Language{}; };  // of who reads that
    std::unique_ptr<AgentSession> agent;
    bool agent_ended = false;
    std::optional<Error> hangs;  // Errc::timeout: work on the disk that did not end
    bool narrates = false;       // says each request on its own output
    Hub::Subscription heard;     // for that
    std::function<void()> stop_waiting = [] {};

    [[nodiscard]] AgentHome home() { return bridge ? bridge->home() : sidecar->home(); }
    [[nodiscard]] runtimes::FileLooks& file_looks() {
        if (!looks) looks = std::make_unique<runtimes::LookThreads>(io.get_executor(), home().clock);
        return *looks;
    }
    // The catalogue's words, as everything else that stands beside the cards.
    void say_words(channels::Key key, std::initializer_list<channels::Argument> arguments) {
        say(channels::text(language(), key, arguments));
    }
    // Ends the agent, or the wait for sidecars after it.
    void stop(const std::string& why);
};

// Runs the agent until it ends or somebody stops us (SIGINT, SIGTERM, SIGHUP, or Host::stop called by a channel);
// without an agent only somebody does. Where there is no controlling terminal that could hang up, SIGHUP reloads the
// configuration instead. Waits for sidecars that still ask here, then closes everything in order: fronts, requests,
// channels, log. Returns the exit code; `finished` is called after the log is closed, if all went well. Does not return
// if the disk hangs.
int host_until_end(Host& host, const std::function<void(const net::ExitStatus&)>& finished);

// Everything but the agent, in the order of the flow; the log last, because everything above it may still have
// something to say.
boost::asio::awaitable<Result<void>> close_all(Host& host);

// After close_all: does not return if the log's disk hangs, because its writer can then be neither joined nor believed.
void leave_if_disk_hangs(const Result<void>& closed);

// Runs close_all to its end. Does not return if the disk hangs.
[[nodiscard]] Result<void> close_now(Host& host);

// The same end when a channel or the agent could not be started: closes what was opened, so that the log says that this
// hub stopped, and reports the error. Returns the exit code.
int give_up(Host& host, const Error& why);

}  // namespace countersign::app
