// SPDX-License-Identifier: Apache-2.0
// Bridge: the composition root. Every part of the program, joined by hand, in the order of the flow.
#pragma once

#include "app/agent_home.hpp"
#include "app/keys.hpp"
#include "app/system_ids.hpp"
#include "audit/ledger.hpp"
#include "audit/log.hpp"
#include "audit/state_directory.hpp"
#include "core/hub/hub.hpp"
#include "core/ports/clock.hpp"
#include "security/authoriser.hpp"
#include "security/button_token.hpp"
#include "security/short_code.hpp"
#include "security/text_guard.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>

namespace countersign::app {

class Bridge {
public:
    struct Options {
        std::string state;
        std::shared_ptr<const Configuration> configuration;
        std::string command;                // what was started, for the start record
        std::unique_ptr<Clock> clock = {};  // the machine's, unless a test brings another
    };
    // Takes the state directory, recovers the log and writes start and config. Blocks. Borrows the context.
    [[nodiscard]] static Result<std::unique_ptr<Bridge>> open(boost::asio::io_context& io, Options options);

    // Ends what is open and waits for every decision. Channels may still say what came of it.
    boost::asio::awaitable<void> stop();
    // stop(), if it was not called, and closes the log. Errc::timeout: the disk hangs, and only _exit is left.
    boost::asio::awaitable<Result<void>> close();

    [[nodiscard]] AgentHome home();
    [[nodiscard]] Hub& hub() { return hub_; }
    [[nodiscard]] Clock& clock() { return *clock_; }
    [[nodiscard]] Ids& ids() { return ids_; }
    [[nodiscard]] const security::ButtonTokens& tokens() const { return tokens_; }
    [[nodiscard]] const security::ShortCodes& codes() const { return codes_; }
    [[nodiscard]] Result<void> log_health() const { return log_->health(); }
    // What is on disk, how much of it happened since the start, and who hears when both changed.
    [[nodiscard]] const audit::Log& log() const { return *log_; }
    void on_written(std::function<void()> handler) { log_->on_written(std::move(handler)); }
    // What had changed something before this start, by this channel's own names for it (I5).
    [[nodiscard]] std::vector<std::string> handled_by(const std::string& channel) const;
    // Tells the messages that an earlier process left with buttons how their requests ended, and of those that are open
    // still, that they wait for their agents (I12). After the channels are added, before anybody asks.
    void take_up_earlier() {
        hub_.conclude_earlier(log_->earlier().stale_messages);
        hub_.await_orphans(log_->earlier().orphans);
    }
    [[nodiscard]] const Configuration& configuration() const { return *configuration_; }
    [[nodiscard]] std::shared_ptr<const Configuration> shared_configuration() const { return configuration_; }
    // One swap: the hub, its gate and its redactor go by this one from now on, and the log has it. Precondition: it
    // holds, and every secret that it names can be read.
    void reconfigure(std::shared_ptr<const Configuration> configuration);
    [[nodiscard]] const std::string& state() const { return directory_.path(); }
    [[nodiscard]] std::string audit_directory() const { return directory_.audit(); }

private:
    struct Parts {
        std::unique_ptr<Clock> clock;
        audit::StateDirectory directory;
        Keys keys;
        std::unique_ptr<audit::Log> log;
    };
    Bridge(boost::asio::io_context& io, std::shared_ptr<const Configuration> configuration, Parts parts);
    void record_configuration();

    std::unique_ptr<Clock> clock_;  // the log borrows it before the rest exists
    SystemIds ids_{*clock_};
    std::shared_ptr<const Configuration> configuration_;
    audit::StateDirectory directory_;
    Keys keys_;
    security::ButtonTokens tokens_{keys_.button.duplicate()};
    security::ShortCodes codes_{keys_.code.duplicate()};
    security::CurrentRedactor redactor_;
    security::RedactingGuard guard_{redactor_};
    security::ConfiguredAuthoriser authoriser_;
    std::unique_ptr<audit::Log> log_;
    audit::EmbeddedLedger ledger_;
    Hub hub_;
};

}  // namespace countersign::app
