// SPDX-License-Identifier: Apache-2.0
#include "app/channels/platform.hpp"

#include "app/channels/memory.hpp"
#include "app/channels/open.hpp"
#include "app/process.hpp"
#include "net/http_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

struct Joined final : Service {
    explicit Joined(ChannelMemory opened) : memory{std::move(opened)} {}
    ChannelMemory memory;
    std::unique_ptr<channels::Platform> platform;  // borrows the memory
};

Error named(const ChannelConfig& channel, const Error& why) {
    return {why.code, "channel " + channel.name + ": " + why.detail};
}

void not_remembered(const Host& host, const std::string& channel, const Error& why) {
    host.say("channel " + channel + ": what it must know at the next start could not be kept: " + describe(why));
}

bool is_used(const Configuration& configuration, const std::string& channel, const std::string& chat) {
    const auto names_it = [&](const auto& place) { return place.channel == channel && place.chat == chat; };
    return std::ranges::any_of(configuration.log_anchors, names_it) ||
           std::ranges::any_of(configuration.routes,
                               [&](const Route& route) { return std::ranges::any_of(route.steps, names_it); });
}

channels::ChatPeople people_of(Host& host) {
    auto* bridge = host.bridge.get();
    return {
        .is_known =
            [bridge](const std::string& principal) { return bridge->configuration().person_of(principal) != nullptr; },
        .person =
            [bridge](const std::string& principal) {
                const auto* person = bridge->configuration().person_of(principal);
                return person == nullptr ? std::string{} : person->name;
            },
        .language = languages_of(host),
        .on_problem = [&host](const std::string& line) { host.say(line); }};
}

channels::PlatformContext context_of(Host& host, const ChannelConfig& channel, channels::Memory& memory) {
    auto& bridge = *host.bridge;
    if (!host.http) host.http = std::make_unique<net::CurlHttpClient>(host.io.get_executor());
    return {.executor = host.io.get_executor(),
            .name = channel.name,
            .settings = channels::Settings{channel.settings},
            .ports = {.http = *host.http,
                      .clock = bridge.clock(),
                      .ids = bridge.ids(),
                      .deliveries = bridge.hub().deliveries(),
                      .attempts = bridge.hub(),
                      .open = bridge.hub().queries(),
                      .keys = {bridge.tokens(), bridge.codes()},
                      .memory = memory},
            .people = people_of(host),
            .is_used = [&bridge, name = channel.name](
                           const std::string& chat) { return is_used(bridge.configuration(), name, chat); },
            .handled = bridge.handled_by(channel.name)};
}

Result<std::function<void()>> prepared(channels::Platform& platform, const ChannelConfig& wanted) {
    auto commit = platform.prepare(channels::Settings{wanted.settings});
    if (!commit) return named(wanted, commit.error());
    return commit;
}

asio::awaitable<void> stop_listening(channels::Platform& platform) {
    platform.stop_listening();
    co_return;
}

asio::awaitable<void> stop(const Host& host, const std::string channel, Joined& joined) {
    co_await joined.platform->stop();
    if (const auto kept = joined.memory.flush(); !kept) not_remembered(host, channel, kept.error());
}

}  // namespace

Result<JoinedPlatform> join_platform(Host& host, const ChannelConfig& channel, channels::OpenPlatform open) {
    const auto& name = channel.name;
    const auto failed = [&host, name](const Error& why) {
        asio::post(host.io, [&host, name, why] { not_remembered(host, name, why); });
    };
    auto memory = ChannelMemory::open(host.bridge->state(), name, failed);
    if (!memory) return named(channel, memory.error());
    auto service = std::make_unique<Joined>(std::move(*memory));
    auto opened = open(context_of(host, channel, service->memory));
    if (!opened) return named(channel, opened.error());
    service->platform = std::move(*opened);
    auto& joined = *service;
    auto* platform = joined.platform.get();
    host.services.push_back(std::move(service));
    host.bridge->hub().add_channel(platform->channel());
    host.unready.emplace_back([platform] { return platform->unready(); });
    host.outboxes.push_back(
        {.channel = name, .report = [platform](std::size_t chats_max) { return platform->outbox(chats_max); }});
    host.reloads.emplace_back(
        [platform, name](const Configuration& wanted) { return prepared(*platform, wanted.channels.at(name)); });
    for (auto& path : platform->inbound()) {
        host.webhooks.push_back({.kind = channel.kind,
                                 .channel = name,
                                 .inbound = path.inbound,
                                 .answers_get = path.answers_get,
                                 .below = std::move(path.below)});
    }
    host.beside.emplace_back([platform] { return platform->run(); });
    host.fronts_end.emplace_back([platform] { return stop_listening(*platform); });
    host.ends.emplace_back([&host, name, &joined] { return stop(host, name, joined); });
    return JoinedPlatform{.channel = &channel, .platform = platform};
}

Result<void> start_platforms(Host& host, const std::vector<JoinedPlatform>& joined) {
    std::vector<Result<void>> answers(joined.size(), Error{Errc::internal, "the platform was not asked"});
    std::size_t missing = joined.size();
    for (std::size_t i = 0; i < joined.size(); ++i) {
        asio::co_spawn(host.io, joined[i].platform->start(), [&, i](const std::exception_ptr& failed, auto answer) {
            leave_if_broken(failed);
            answers[i] = std::move(answer);
            --missing;
        });
    }
    // Not until the loop is empty: the client keeps its connection, and a timer for it.
    while (missing > 0 && host.io.run_one() > 0) {}
    if (host.io.stopped()) host.io.restart();
    for (std::size_t i = 0; i < joined.size(); ++i) {
        const auto& [channel, platform] = joined[i];
        if (!answers[i] && answers[i].error().code != Errc::unavailable) return named(*channel, answers[i].error());
        host.introductions.push_back("channel " + channel->name + ": " + platform->introduction());
    }
    return {};
}

}  // namespace countersign::app
