// SPDX-License-Identifier: Apache-2.0
#include "app/channels/platform.hpp"

#include "app/channels/memory.hpp"
#include "app/channels/open.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <set>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

void not_remembered(const Host& host, const std::string& channel, const Error& why) {
    host.say("channel " + channel + ": what it must know at the next start could not be kept: " + describe(why));
}

// The chats that a configuration names on a channel, without duplicates.
std::vector<std::string> chats_on(const Configuration& configuration, const std::string& channel) {
    std::set<std::string> chats;
    const auto add = [&](const auto& places) {
        for (const auto& place : places) {
            if (place.channel == channel && !place.chat.empty()) chats.insert(place.chat);
        }
    };
    add(configuration.log_anchors);
    for (const auto& route : configuration.routes) add(route.steps);
    return {chats.begin(), chats.end()};
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
    return {.executor = host.io.get_executor(),
            .name = channel.name,
            .settings = channels::Settings{channel.settings},
            .ports = {.http = host.http_client(),
                      .clock = bridge.clock(),
                      .ids = bridge.ids(),
                      .deliveries = bridge.hub().deliveries(),
                      .attempts = bridge.hub(),
                      .open = bridge.hub().queries(),
                      .drafts = bridge.hub().drafts(),
                      .keys = {bridge.tokens(), bridge.codes()},
                      .memory = memory},
            .people = people_of(host),
            .is_used =
                [&bridge, name = channel.name](const std::string& chat) {
                    const auto chats = chats_on(bridge.configuration(), name);
                    return std::ranges::binary_search(chats, chat);
                },
            .chats = [&bridge, name = channel.name] { return chats_on(bridge.configuration(), name); },
            .handled = bridge.handled_by(channel.name)};
}

class PlatformPart final : public Part {
public:
    PlatformPart(Host& host, ChannelConfig channel, ChannelMemory memory)
        : host_{host}, channel_{std::move(channel)}, memory_{std::move(memory)} {}

    Result<void> open(channels::OpenPlatform open) {
        auto opened = open(context_of(host_, channel_, memory_));
        if (!opened) return opened.error();
        platform_ = std::move(*opened);
        return {};
    }
    [[nodiscard]] Channel& channel() { return platform_->channel(); }

    // Asks the platform whether it knows us. If it could not be reached, it has reported that itself and will try
    // again.
    asio::awaitable<Result<void>> start() override {
        const auto known = co_await platform_->start();
        if (known || known.error().code == Errc::unavailable) co_return Result<void>{};
        co_return error_of(channel_.name, known.error());
    }
    asio::awaitable<void> run() override { return platform_->run(); }
    asio::awaitable<void> stop_front() override {
        platform_->stop_listening();
        co_return;
    }
    asio::awaitable<void> finish() override {
        co_await platform_->stop();
        if (const auto kept = memory_.flush(); !kept) not_remembered(host_, channel_.name, kept.error());
    }
    Result<std::function<void()>> prepare(const Configuration& wanted) override {
        auto commit = platform_->prepare(channels::Settings{wanted.channels.at(channel_.name).settings});
        if (!commit) return error_of(channel_.name, commit.error());
        return commit;
    }
    [[nodiscard]] std::vector<std::string> unready() const override { return platform_->unready(); }
    [[nodiscard]] std::optional<NamedOutbox> outbox() const override {
        return NamedOutbox{.channel = channel_.name, .report = [platform = platform_.get()](std::size_t chats_max) {
                               return platform->outbox(chats_max);
                           }};
    }
    [[nodiscard]] std::string introduction() const override {
        return "channel " + channel_.name + ": " + platform_->introduction();
    }
    [[nodiscard]] std::vector<gateway::Webhook> webhooks() override {
        std::vector<gateway::Webhook> webhooks;
        for (auto& path : platform_->inbound()) {
            webhooks.push_back({.kind = channel_.kind,
                                .channel = channel_.name,
                                .inbound = path.inbound,
                                .answers_get = path.answers_get,
                                .below = std::move(path.below)});
        }
        return webhooks;
    }

private:
    Host& host_;
    ChannelConfig channel_;
    ChannelMemory memory_;  // declared first: the platform borrows it
    std::unique_ptr<channels::Platform> platform_;
};

}  // namespace

Result<void> add_platform(Host& host, const ChannelConfig& channel, channels::OpenPlatform open) {
    const auto failed = [&host, name = channel.name](const Error& why) {
        asio::post(host.io, [&host, name, why] { not_remembered(host, name, why); });
    };
    auto memory = ChannelMemory::open(host.bridge->state(), channel.name, failed);
    if (!memory) return memory.error();
    auto part = std::make_unique<PlatformPart>(host, channel, std::move(*memory));
    if (const auto opened = part->open(open); !opened) return opened.error();
    host.bridge->hub().add_channel(part->channel());
    host.parts.push_back(std::move(part));
    return {};
}

}  // namespace countersign::app
