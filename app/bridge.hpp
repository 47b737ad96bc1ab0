// SPDX-License-Identifier: Apache-2.0
// Bridge: the hub with its ports and its log, wired by hand.
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
        std::string command;                // the command that was started, for the start record
        std::unique_ptr<Clock> clock = {};  // the machine's clock, unless a test passes another one
    };
    // Locks the state directory, recovers the log and writes the start and config records. Blocks. Borrows the context.
    [[nodiscard]] static Result<std::unique_ptr<Bridge>> open(boost::asio::io_context& io, Options options);

    // Ends open requests and waits for every decision. Channels may still report the outcome.
    boost::asio::awaitable<void> stop();
    // Calls stop() if needed, and closes the log. Errc::timeout: the disk hangs, and only _exit ends the process.
    boost::asio::awaitable<Result<void>> close();

    [[nodiscard]] AgentHome home();
    [[nodiscard]] Hub& hub() { return hub_; }
    [[nodiscard]] Clock& clock() { return *clock_; }
    [[nodiscard]] Ids& ids() { return ids_; }
    [[nodiscard]] const security::ButtonTokens& tokens() const { return tokens_; }
    [[nodiscard]] const security::ShortCodes& codes() const { return codes_; }
    [[nodiscard]] Result<void> log_health() const { return log_->health(); }
    // The log on disk, for its checkpoint and its count of events. on_written() calls the handler after both changed.
    [[nodiscard]] const audit::Log& log() const { return *log_; }
    void on_written(std::function<void()> handler) { log_->on_written(std::move(handler)); }
    // Deliveries that took effect before this start, by this channel's own ids (I5).
    [[nodiscard]] std::vector<std::string> handled_by(const std::string& channel) const;
    // Updates messages that an earlier process left with buttons (I12): if the request has ended, shows how; if it is
    // still open, that it waits for its agent. Call it after the channels are added, before anything is asked.
    void take_up_earlier() {
        hub_.conclude_earlier(log_->earlier().stale_messages);
        hub_.await_orphans(log_->earlier().orphans);
    }
    [[nodiscard]] const Configuration& configuration() const { return *configuration_; }
    [[nodiscard]] std::shared_ptr<const Configuration> shared_configuration() const { return configuration_; }
    // Switches the hub, its gate and its redactor to this configuration in one step, and logs it. Precondition: it is
    // valid and all its secrets can be read.
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

    std::unique_ptr<Clock> clock_;  // declared first: the log borrows it
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
