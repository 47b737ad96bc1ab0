// SPDX-License-Identifier: Apache-2.0
// The hub with a Discord channel in it, over a fake REST API.
#pragma once

#include "channels/discord/bounds.hpp"
#include "channels/discord/discord.hpp"
#include "tests/channels/discord_fakes.hpp"
#include "tests/channels/platform_fakes.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::discord::fakes {

// "desk" is Discord; alice, bob and carol have ids from that of alice on. Requests go to the channel `ops`.
inline Configuration discord_configuration() {
    auto configuration = countersign::fakes::small_configuration();
    auto id = std::stoull(alice);
    for (auto& [name, person] : configuration.people) {
        person.principals.push_back("discord:" + std::to_string(id++));
    }
    configuration.channels["desk"] = {.name = "desk", .kind = "discord"};
    configuration.routes.front().steps = {{.channel = "desk", .chat = ops}};
    return configuration;
}

class DiscordWorld : public ::testing::Test {
protected:
    using Pipe = countersign::fakes::MessagePipe;

    void begin(Configuration configuration = discord_configuration(), Mode mode = Mode::webhook) {
        discord.reset();  // it uses the world before this one
        tasks.reset();
        world = std::make_unique<countersign::fakes::World>(std::move(configuration));
        tasks = std::make_unique<TaskGroup>(world->io.get_executor(),
                                            [this](const std::string& what) { stray.push_back(what); });
        DiscordOptions options;
        options.name = "desk";
        options.token = security::Secret{token};
        options.mode = mode;
        options.public_key = public_key;
        options.people.is_known = [](const std::string& principal) {
            return principal == principal_of(alice) || principal == principal_of(bob);
        };
        options.people.on_problem = [this](const std::string& line) { problems.push_back(line); };
        options.is_used = [](const std::string& chat) { return chat == ops; };
        options.chats = [this] { return chats; };
        auto opened = Discord::open(world->io.get_executor(), std::move(options), ports.of(*world, http),
                                    [this](std::string url) { return connect(std::move(url)); });
        ASSERT_TRUE(opened) << describe(opened.error());
        discord = std::move(*opened);
        world->hub.add_channel(discord->channel());
        tasks->spawn(discord->run());
        world->settle();
    }
    void TearDown() override {
        if (!discord) return;
        discord->stop_listening();
        world->settle();
        tasks->cancel();
        bool stopped = false;
        boost::asio::co_spawn(world->io, discord->stop(), [&](const std::exception_ptr&) { stopped = true; });
        world->settle();
        world->advance(limits::discord_stop_max);
        EXPECT_TRUE(stopped);
        EXPECT_EQ(tasks->size(), 0U);
        EXPECT_TRUE(stray.empty()) << stray.front();
        EXPECT_TRUE(world->stray.empty());
        for (const auto& line : problems) {
            EXPECT_EQ(line.find(token), std::string::npos) << line;
            EXPECT_EQ(line.find(Doing{}.token), std::string::npos) << line;
        }
    }

    Ulid ask(Request request) {
        const auto asked = world->ask(std::move(request));
        EXPECT_TRUE(asked);
        world->settle();
        return *asked;
    }
    Ulid ask(const std::string& command = "ls") {
        return ask(countersign::fakes::shell_request(world->ids.next(), command));
    }

    // Brings a delivery to the webhook, signed unless told otherwise.
    struct Delivered {
        std::optional<Reply> reply;
        [[nodiscard]] Json json() const { return reply ? Json::parse(reply->body, nullptr, false) : Json{}; }
        [[nodiscard]] int type() const { return json().is_object() ? json().value("type", 0) : 0; }
        [[nodiscard]] std::string body() const { return reply ? reply->body : ""; }
    };
    std::shared_ptr<Delivered> deliver(const std::string& body, std::vector<HttpHeader> sent) {
        auto delivered = std::make_shared<Delivered>();
        InboundMessage brought{.method = "POST",
                               .path = "/webhooks/discord/desk",
                               .query = {},
                               .parameters = {},
                               .headers = std::move(sent),
                               .body = body,
                               .arrived = world->clock.boot()};
        boost::asio::co_spawn(
            world->io, discord->inbound().front().inbound->handle(std::move(brought)),
            [delivered](const std::exception_ptr&, Reply reply) { delivered->reply = std::move(reply); });
        world->settle();
        return delivered;
    }
    std::shared_ptr<Delivered> interact(const Json& interaction) {
        const auto body = interaction.dump();
        return deliver(body, signed_headers(body, world->clock.wall()));
    }
    // What a person does now; each has its own id and token.
    Doing doing(const std::string& data, const std::string& user = alice) {
        ++last;
        return {.user = user,
                .id = snowflake(world->clock.wall(), last),
                .data = data,
                .message = message,
                .token = "aW50ZXJhY3Rpb24" + std::to_string(last)};
    }
    std::shared_ptr<Delivered> press(const std::string& label, const std::string& user = alice) {
        return interact(button_press(doing(button(label), user)));
    }
    std::shared_ptr<Delivered> slash(const std::string& name, const Json& options = Json::array(),
                                     const std::string& user = alice) {
        return interact(slash_command(doing({}, user), name, options));
    }

    // The custom_id of the button with this label on the newest card that has one.
    [[nodiscard]] std::string button(const std::string& label) const {
        std::string found;
        for (const auto& call : http.calls) find_button(call.body, label, found);
        return found;
    }
    static void find_button(const Json& json, const std::string& label, std::string& found) {
        if (json.is_object() && json.value("type", Json{}) == 2 && json.value("label", "") == label) {
            found = json.value("custom_id", "");
        }
        if (json.is_structured()) {
            for (const auto& member : json) find_button(member, label, found);
        }
    }
    // The custom_id of the first text field of a modal.
    static void find_field(const Json& json, std::string& found) {
        if (json.is_object() && json.value("type", Json{}) == 4 && json.contains("custom_id") && found.empty()) {
            found = json.value("custom_id", "");
        }
        if (json.is_structured()) {
            for (const auto& member : json) find_field(member, found);
        }
    }
    [[nodiscard]] const std::vector<Verdict>& forwarded() const { return world->agent.forwarded; }
    [[nodiscard]] std::string code(const Ulid& id, const std::string& chat = ops) const {
        return keys.codes.code(id, chat);
    }

    boost::asio::awaitable<Result<LinePtr>> connect(std::string /*url*/) {
        auto [ours, theirs] = Pipe::pair(world->io.get_executor());
        sockets.push_back(std::move(theirs));
        lines.push_back(std::make_shared<FakeLine>(std::move(ours)));
        co_return LinePtr{lines.back()};
    }
    void push(const Json& frame) {
        sockets.back()->push(frame.dump());
        world->settle();
    }
    void dispatch(const std::string& name, const Json& data) {
        push({{"op", 0}, {"s", ++seq}, {"t", name}, {"d", data}});
    }

    FakeDiscord http;
    channels::fakes::TestPorts ports;
    TestKeys& keys = ports.keys;
    std::unique_ptr<countersign::fakes::World> world;
    std::unique_ptr<TaskGroup> tasks;
    std::unique_ptr<Discord> discord;
    std::vector<std::string> stray;
    std::vector<std::string> problems;
    std::vector<std::string> chats;  // channels that the configuration names
    std::vector<std::unique_ptr<Pipe>> sockets;
    std::vector<std::shared_ptr<FakeLine>> lines;
    std::string message = "1100000000000000001";  // the first that is posted
    std::int64_t seq = 0;
    unsigned last = 0;
};

}  // namespace countersign::channels::discord::fakes
