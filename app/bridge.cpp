// SPDX-License-Identifier: Apache-2.0
#include "app/bridge.hpp"

#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "audit/log_marker.hpp"
#include "config/effective.hpp"
#include "core/json/write.hpp"
#include "security/args_hash.hpp"
#include "security/encoding.hpp"

#include <memory>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

LogEntry configuration_record(const Configuration& configuration) {
    json::Value value{config::effective(configuration)};
    auto text = json::canonical(value);
    auto hash = security::display_hash(text);
    LogEntry entry{.kind = "config", .fields = {{"configHash", hash}}};
    if (text.size() <= limits::record_display_bytes_max) {
        entry.fields.add("config", std::move(value));
    } else {
        entry.long_text = LogEntry::LongText{.hash = std::move(hash), .text = std::move(text)};
    }
    return entry;
}

}  // namespace

Result<std::unique_ptr<Bridge>> Bridge::open(asio::io_context& io, Options options) {
    keep_memory_private();
    auto directory = audit::StateDirectory::open(options.state);
    if (!directory) return directory.error();
    auto keys = load_keys(directory->path());
    if (!keys) return keys.error();
    auto signing_key = security::Ed25519SigningKey::from_seed(keys->log);
    if (!signing_key) return signing_key.error();
    auto clock = options.clock ? std::move(options.clock) : std::make_unique<SystemClock>();
    // The hub runs as the same user as its agents: that protects against mistakes, not against a hostile agent.
    json::Object start{{"version", COUNTERSIGN_VERSION}, {"command", options.command}, {"isolation", "same-uid"}};
    auto& files = audit::posix_file_system();
    if (const auto there = audit::check_begun(files, directory->path()); !there) return there.error();
    auto origin = audit::origin_of_log(files, directory->path(), options.configuration->log_origin);
    if (!origin) return origin.error();
    auto log = audit::Log::open({.directory = directory->audit(),
                                 .origin = std::move(*origin),
                                 .key = std::move(*signing_key),
                                 .boot_id = boot_id(),
                                 .start = std::move(start),
                                 .clock = *clock,
                                 .files = files,
                                 .executor = io.get_executor()});
    if (!log) return log.error();
    if (const auto noted = audit::note_begun(files, directory->path()); !noted) return noted.error();
    Parts parts{std::move(clock), std::move(*directory), std::move(*keys), std::move(*log)};
    return std::unique_ptr<Bridge>{new Bridge{io, std::move(options.configuration), std::move(parts)}};
}

Bridge::Bridge(asio::io_context& io, std::shared_ptr<const Configuration> configuration, Parts parts)
    : clock_{std::move(parts.clock)},
      configuration_{std::move(configuration)},
      directory_{std::move(parts.directory)},
      keys_{std::move(parts.keys)},
      redactor_{keys_.fingerprint.duplicate(), own_secrets(keys_, *configuration_)},
      log_{std::move(parts.log)},
      ledger_{*log_},
      hub_{io.get_executor(),
           {.ledger = ledger_, .clock = *clock_, .ids = ids_, .authoriser = authoriser_, .guard = guard_},
           configuration_,
           [](const std::string& what) { report({Errc::internal, "a task ended with an exception: " + what}); }} {
    log_->beat();
    log_->on_poisoned([](const Error& why) { tell("nothing is allowed from now on: {}\n", why.detail); });
    log_->on_forgotten([](const Error& why) {
        tell("requests that were not logged could not be noted ({}): after a restart they are called lost; nothing was "
             "allowed\n",
             why.detail);
    });
    hub_.remember_earlier(log_->earlier().used_ids);
    hub_.remember_halts(log_->earlier().halts);
    hub_.remember_ended(log_->earlier().ended);
    // Queued before anything else, because records are in the order of the calls.
    record_configuration();
}

void Bridge::record_configuration() {
    hub_.record(configuration_record(*configuration_), [](const Error& why) {
        report({why.code, "the audit log has no record of the configuration: " + why.detail});
    });
}

// The record is queued before any decision made under this configuration.
void Bridge::reconfigure(std::shared_ptr<const Configuration> configuration) {
    redactor_.replace(keys_.fingerprint.duplicate(), own_secrets(keys_, *configuration));
    configuration_ = std::move(configuration);
    record_configuration();
    hub_.reconfigure(configuration_);
}

std::vector<std::string> Bridge::handled_by(const std::string& channel) const {
    std::vector<std::string> deliveries;
    for (const auto& handled : log_->earlier().handled) {
        if (handled.channel == channel) deliveries.push_back(handled.delivery);
    }
    return deliveries;
}

AgentHome Bridge::home() {
    return {.executor = hub_.executor(),
            .hub = hub_.asking(),
            .clock = *clock_,
            .ids = ids_,
            .redactor = redactor_,
            .rules = [this] { return configuration_->rules; },
            .always = [this](const std::string& runtime) { return configuration_->always_of(runtime); }};
}

asio::awaitable<void> Bridge::stop() { co_await hub_.stop(); }

asio::awaitable<Result<void>> Bridge::close() {
    co_await hub_.stop();  // also waits for attempts that channels reported since
    co_return co_await log_->close();
}

}  // namespace countersign::app
