// SPDX-License-Identifier: Apache-2.0
#include "app/reload.hpp"

#include "app/channels/registry.hpp"
#include "app/channels/secrets.hpp"
#include "config/config.hpp"
#include "config/effective.hpp"
#include "config/group_command.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

std::map<std::string, std::string> fixed_settings(const ChannelConfig& channel) {
    auto settings = channel.settings;
    if (channel.facts == nullptr) return settings;
    for (const auto& setting : channel.facts->settings) {
        if (setting.reloadable) settings.erase(std::string{setting.name});
    }
    return settings;
}

std::string text_of(const std::optional<ListenAddress>& address) {
    return address ? address->host + ':' + std::to_string(address->port) : std::string{};
}

// As in the `config` record, so that both compare equal there.
std::string log_of(const Configuration& configuration) {
    const auto whole = config::effective(configuration);
    return json::canonical(json::Object{{"origin", *whole.find("logOrigin")}, {"log", *whole.find("log")}});
}

void compare_channels(const Configuration& running, const Configuration& wanted, std::vector<std::string>& lines) {
    for (const auto& [name, channel] : running.channels) {
        const auto found = wanted.channels.find(name);
        if (found == wanted.channels.end()) {
            lines.push_back("channels." + name + " was removed");
        } else if (found->second.kind != channel.kind) {
            lines.push_back("channels." + name + ".kind is another");
        } else if (fixed_settings(found->second) != fixed_settings(channel)) {
            lines.push_back("channels." + name + " has other settings");
        }
    }
    for (const auto& [name, channel] : wanted.channels) {
        if (!running.channels.contains(name)) lines.push_back("channels." + name + " was added");
    }
}

void compare_gateway(const GatewayConfig& running, const GatewayConfig& wanted, std::vector<std::string>& lines) {
    if (text_of(running.listen) != text_of(wanted.listen)) lines.emplace_back("gateway.listen is another");
    if (text_of(running.admin) != text_of(wanted.admin)) lines.emplace_back("gateway.admin is another");
    if (running.proxies != wanted.proxies) lines.emplace_back("gateway.proxies are others");
    if (running.proxies_write_forwarded != wanted.proxies_write_forwarded) {
        lines.emplace_back("gateway.proxy_header changed");
    }
    if (running.certificate_file.empty() != wanted.certificate_file.empty()) {
        lines.emplace_back("gateway.certificate_file was added or removed");
    }
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

Error refused(const std::vector<std::string>& lines) { return {Errc::bad_config, joined(lines)}; }

std::vector<std::string> printed(const std::vector<config::ConfigProblem>& problems) {
    std::vector<std::string> lines;
    for (const auto& problem : problems) lines.push_back(print(problem));
    return lines;
}

// Everything that must succeed before anything changes. Blocks.
struct Prepared {
    std::shared_ptr<const Configuration> configuration;
    std::vector<std::string> warnings;
    std::vector<std::function<void()>> commits;
};
Result<Prepared> prepare_all(const std::string& file, const std::shared_ptr<const Configuration>& running,
                             const std::vector<Part*>& parts, WallTime now) {
    auto loaded = config::load_config(file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded))
        return refused(printed(*problems));
    if (const auto missing = secret_problems(file, std::get<Configuration>(loaded), now); !missing.empty()) {
        return refused(printed(missing));
    }
    auto resolved = config::resolve_groups(std::get<Configuration>(std::move(loaded)));
    if (resolved.command_failed) return refused(resolved.warnings);
    auto restart = needs_restart(*running, resolved.configuration);
    for (auto& line : restart) line += ": this needs a restart";
    if (!restart.empty()) return refused(restart);
    Prepared prepared{.configuration = std::make_shared<const Configuration>(std::move(resolved.configuration)),
                      .warnings = std::move(resolved.warnings),
                      .commits = {}};
    std::vector<std::string> wrong;
    for (auto* part : parts) {
        auto commit = part->prepare(*prepared.configuration);
        if (commit) {
            if (*commit) prepared.commits.push_back(std::move(*commit));
        } else {
            wrong.push_back(commit.error().detail);
        }
    }
    if (!wrong.empty()) return refused(wrong);
    return prepared;
}

}  // namespace

std::vector<std::string> needs_restart(const Configuration& running, const Configuration& wanted) {
    std::vector<std::string> lines;
    compare_channels(running, wanted, lines);
    compare_gateway(running.gateway, wanted.gateway, lines);
    if (log_of(running) != log_of(wanted)) lines.emplace_back("log is another");
    return lines;
}

bool is_too_soon(const std::optional<BootTime>& last, BootTime now) {
    return last && now - *last < limits::reload_interval_min;
}

Reloader::Reloader(Host& host, std::string file) : host_{host}, file_{std::move(file)} {}

asio::awaitable<Result<void>> Reloader::reload() {
    const auto now = host_.bridge->clock().boot();
    if (busy_ || is_too_soon(last_, now)) {
        co_return Error{Errc::busy, "the configuration is being loaded already, or was a moment ago; nothing changed"};
    }
    busy_ = true;
    const auto done = co_await load_and_swap();
    busy_ = false;
    last_ = host_.bridge->clock().boot();
    host_.reload_refused = !done;
    if (done) {
        host_.say_words(channels::Key::reloaded, {{"file", file_}});
    } else {
        host_.say(channels::text(host_.language(), channels::Key::not_reloaded) + "\n" + done.error().detail);
    }
    co_return done;
}

asio::awaitable<Result<void>> Reloader::load_and_swap() {
    if (!worker_) worker_ = std::make_unique<Worker>();
    const auto running = host_.bridge->shared_configuration();
    std::vector<Part*> parts;
    for (const auto& part : host_.parts) parts.push_back(part.get());
    auto prepared =
        co_await worker_->run([file = file_, running, parts = std::move(parts), wall = host_.bridge->clock().wall()] {
            return prepare_all(file, running, parts, wall);
        });
    if (!prepared) co_return prepared.error();
    // Checked last: the number of sidecars may have changed meanwhile. Their own judgement of calls is used here (I15).
    const bool other_rules = config::rules_fingerprint(*running) != config::rules_fingerprint(*prepared->configuration);
    if (other_rules && host_.sidecars && host_.sidecars->sidecars() > 0) {
        co_return Error{Errc::bad_config, "policy, risk or always rules are others, and " +
                                              std::to_string(host_.sidecars->sidecars()) +
                                              " agents of other processes judge by those of now: end them first"};
    }
    for (const auto& line : prepared->warnings) host_.say(line);
    for (const auto& commit : prepared->commits) commit();
    if (host_.sidecars) host_.sidecars->judge_by(config::rules_fingerprint(*prepared->configuration));
    host_.bridge->reconfigure(prepared->configuration);
    co_return Result<void>{};
}

void open_reload(Host& host, std::string file) {
    auto reloader = std::make_unique<Reloader>(host, std::move(file));
    host.reload = [reloader = reloader.get()] { return reloader->reload(); };
    host.parts.push_back(std::move(reloader));
}

}  // namespace countersign::app
