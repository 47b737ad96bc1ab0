// SPDX-License-Identifier: Apache-2.0
// The hub with a Slack channel in it, over a fake Web API.
#pragma once

#include "channels/slack/bounds.hpp"
#include "channels/slack/slack.hpp"
#include "channels/slack/slots.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"
#include "tests/channels/platform_fakes.hpp"
#include "tests/channels/slack_fakes.hpp"
#include "tests/fakes/message_pipe.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::slack::fakes {

// "desk" is Slack; alice is T0/U77, bob T0/U78, carol T0/U79. Requests go to the channel C0OPS.
inline Configuration slack_configuration() {
    auto configuration = countersign::fakes::small_configuration();
    int id = 77;
    for (auto& [name, person] : configuration.people) person.principals.push_back("slack:T0/U" + std::to_string(id++));
    configuration.channels["desk"] = {.name = "desk", .kind = "slack"};
    configuration.routes.front().steps = {{.channel = "desk", .chat = "C0OPS"}};
    return configuration;
}

// What the front got as its answer.
class HeardSlot final : public ReplySlot {
public:
    bool fill(Reply reply) override {
        if (filled || closed) return false;
        filled = std::move(reply);
        return true;
    }
    std::optional<Reply> filled;
    bool closed = false;  // the platform waits no longer
};

class SlackWorld : public ::testing::Test {
protected:
    using Pipe = countersign::fakes::MessagePipe;

    void begin(Configuration configuration = slack_configuration(), Mode mode = Mode::webhook) {
        slack.reset();  // it uses the world before this one
        tasks.reset();
        world = std::make_unique<countersign::fakes::World>(std::move(configuration));
        tasks = std::make_unique<TaskGroup>(world->io.get_executor(),
                                            [this](const std::string& what) { stray.push_back(what); });
        SlackOptions options;
        options.name = "desk";
        options.token = security::Secret{token};
        options.mode = mode;
        options.app_token = security::Secret{app_token};
        options.secrets.present = security::Secret{signing_secret};
        options.people.is_known = [](const std::string& principal) {
            return principal == "slack:T0/U77" || principal == "slack:T0/U78" || principal == "slack:T0/U79";
        };
        options.people.on_problem = [this](const std::string& line) { problems.push_back(line); };
        adjust(options);
        auto opened = Slack::open(world->io.get_executor(), std::move(options), ports.of(*world, http),
                                  [this](std::string url) { return connect(std::move(url)); });
        ASSERT_TRUE(opened) << describe(opened.error());
        slack = std::move(*opened);
        world->hub.add_channel(slack->channel());
        tasks->spawn(slack->run());
        world->settle();
    }
    virtual void adjust(SlackOptions& /*options*/) {}

    void TearDown() override {
        if (!slack) return;
        slack->stop_listening();
        world->settle();
        tasks->cancel();
        bool stopped = false;
        boost::asio::co_spawn(world->io, slack->stop(), [&](const std::exception_ptr&) { stopped = true; });
        world->settle();
        world->advance(limits::slack_stop_max);
        EXPECT_TRUE(stopped);
        EXPECT_EQ(tasks->size(), 0U);
        EXPECT_TRUE(stray.empty()) << stray.front();
        EXPECT_TRUE(world->stray.empty());
        for (const auto& line : problems) EXPECT_EQ(line.find("FakeToken"), std::string::npos) << line;
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

    // Brings a delivery to the webhook, signed unless told otherwise. The slot is what the person sees in the reply.
    struct Delivered {
        std::shared_ptr<HeardSlot> slot = std::make_shared<HeardSlot>();
        std::optional<Reply> reply;  // of the handler
        // What goes out: whatever came first.
        [[nodiscard]] Reply answer() const { return slot->filled ? *slot->filled : reply.value_or(Reply{}); }
        [[nodiscard]] Json json() const { return Json::parse(answer().body, nullptr, false); }
    };
    static std::vector<HttpHeader> headers(const std::string& body, const std::string& type, WallTime at,
                                           std::string_view secret = signing_secret) {
        const auto seconds =
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count());
        const auto mac = security::hmac_sha256(security::Secret{secret}, {"v0:", seconds, ":", body});
        return {{"Content-Type", type},
                {"X-Slack-Request-Timestamp", seconds},
                {"X-Slack-Signature", "v0=" + security::hex(mac)}};
    }
    std::shared_ptr<Delivered> deliver(const std::string& body, std::vector<HttpHeader> sent) {
        auto delivered = std::make_shared<Delivered>();
        InboundMessage message{.method = "POST",
                               .path = "/webhooks/slack/desk",
                               .query = {},
                               .parameters = {},
                               .headers = std::move(sent),
                               .body = body,
                               .arrived = world->clock.boot(),
                               .slot = delivered->slot};
        boost::asio::co_spawn(
            world->io, slack->inbound().front().inbound->handle(std::move(message)),
            [delivered](const std::exception_ptr&, Reply reply) { delivered->reply = std::move(reply); });
        world->settle();
        return delivered;
    }
    std::shared_ptr<Delivered> form(const std::string& body) {
        return deliver(body, headers(body, "application/x-www-form-urlencoded", world->clock.wall()));
    }
    std::shared_ptr<Delivered> interact(const Json& payload) { return form("payload=" + form_escaped(payload.dump())); }
    std::shared_ptr<Delivered> notify(const Json& event) {
        const auto body = event.dump();
        return deliver(body, headers(body, "application/json", world->clock.wall()));
    }
    std::shared_ptr<Delivered> slash(const std::string& command, const std::string& text,
                                     const std::string& user = "U77") {
        return form("team_id=T0&channel_id=C0OPS&user_id=" + user + "&command=" + form_escaped(command) +
                    "&text=" + form_escaped(text) + "&trigger_id=9." + std::to_string(++last_trigger));
    }

    // The data of the button with this label on the newest card that has one.
    [[nodiscard]] std::string button(const std::string& label) const {
        std::string data;
        for (const auto& call : http.calls) {
            if (!call.body.contains("blocks")) continue;
            for (const auto& block : call.body["blocks"]) {
                if (block["type"] != "actions") continue;
                for (const auto& one : block["elements"]) {
                    if (one["type"] == "button" && one["text"]["text"] == label) data = one["value"];
                }
            }
        }
        return data;
    }
    [[nodiscard]] std::string moment() const {
        const auto ms = world->clock.wall().time_since_epoch().count();
        return std::to_string(ms / 1'000) + ".000000";
    }
    Pressing pressing(const std::string& label, const std::string& user = "U77") {
        return {
            .user = user, .data = button(label), .made = moment(), .trigger = "1." + std::to_string(++last_trigger)};
    }
    std::shared_ptr<Delivered> press(const std::string& label, const std::string& user = "U77") {
        return interact(block_actions(pressing(label, user)));
    }
    [[nodiscard]] Json last_view() const {
        const auto opened = http.of("views.open");
        return opened.empty() ? Json{} : opened.back()["view"];
    }
    [[nodiscard]] std::string last_text(const std::string& method) const {
        const auto sent = http.of(method);
        return sent.empty() ? "" : sent.back()["text"].get<std::string>();
    }
    [[nodiscard]] const std::vector<Verdict>& forwarded() const { return world->agent.forwarded; }
    [[nodiscard]] std::string code(const Ulid& id) const { return keys.codes.code(id, "C0OPS"); }

    // Socket Mode: each connection that is opened has its other end here.
    boost::asio::awaitable<Result<Stream>> connect(std::string url) {
        urls.push_back(std::move(url));
        if (refuse_connections) co_return Error{Errc::away, "no route"};
        auto [ours, theirs] = Pipe::pair(world->io.get_executor());
        sockets.push_back(std::move(theirs));
        co_return Stream{std::move(ours)};
    }
    void envelope(std::size_t socket, const std::string& type, const Json& payload, const std::string& id,
                  bool takes_payload = false) {
        sockets.at(socket)->push(
            Json{{"envelope_id", id}, {"type", type}, {"accepts_response_payload", takes_payload}, {"payload", payload}}
                .dump());
        world->settle();
    }
    void hello(std::size_t socket) {
        sockets.at(socket)->push(std::string{R"({"type":"hello","num_connections":1})"});
        world->settle();
    }
    std::vector<Json> acknowledged(std::size_t socket) {
        std::vector<Json> found;
        for (const auto& text : sockets.at(socket)->arrived()) found.push_back(Json::parse(*text));
        return found;
    }

    FakeSlack http;
    channels::fakes::TestPorts ports;
    TestKeys& keys = ports.keys;
    std::unique_ptr<countersign::fakes::World> world;
    std::unique_ptr<TaskGroup> tasks;
    std::unique_ptr<Slack> slack;
    std::vector<std::string> stray;
    std::vector<std::string> problems;
    std::vector<std::string> urls;
    std::vector<std::unique_ptr<Pipe>> sockets;
    bool refuse_connections = false;
    int last_trigger = 0;
};

}  // namespace countersign::channels::slack::fakes
