// SPDX-License-Identifier: Apache-2.0
// The hub with a Telegram channel in it, over a fake Bot API.
#pragma once

#include "channels/telegram/bounds.hpp"
#include "channels/telegram/telegram.hpp"
#include "tests/channels/platform_fakes.hpp"
#include "tests/channels/telegram_fakes.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace countersign::channels::telegram::fakes {

// "chat" is Telegram; alice is 77, bob 78, carol 79. Requests go to the group -100.
inline Configuration telegram_configuration() {
    auto configuration = countersign::fakes::small_configuration();
    std::int64_t id = 77;
    for (auto& [name, person] : configuration.people) person.principals.push_back("telegram:" + std::to_string(id++));
    configuration.channels["chat"] = {.name = "chat", .kind = "telegram"};
    configuration.routes.front().steps = {{.channel = "chat", .chat = "-100"}};
    return configuration;
}

class TelegramWorld : public ::testing::Test {
protected:
    void begin(Configuration configuration = telegram_configuration(), Mode mode = Mode::poll) {
        telegram.reset();  // it uses the world before this one
        tasks.reset();
        world = std::make_unique<countersign::fakes::World>(std::move(configuration));
        tasks = std::make_unique<TaskGroup>(world->io.get_executor(),
                                            [this](const std::string& what) { stray.push_back(what); });
        TelegramOptions options;
        options.name = "chat";
        options.token = security::Secret{token};
        options.mode = mode;
        if (mode == Mode::webhook)
            options.secrets.present = security::Secret{std::string_view{"a-webhook-secret_0123456789"}};
        options.people.is_known = [](const std::string& principal) {
            return principal == "telegram:77" || principal == "telegram:78" || principal == "telegram:79";
        };
        options.people.on_problem = [this](const std::string& line) { problems.push_back(line); };
        options.on_confirmed = [this](std::int64_t offset) { confirmed.push_back(offset); };
        options.on_moved = [this](const std::string& from, const std::string& to) { moved.emplace_back(from, to); };
        adjust(options);
        auto opened = Telegram::open(world->io.get_executor(), std::move(options), ports.of(*world, http));
        ASSERT_TRUE(opened) << describe(opened.error());
        telegram = std::move(*opened);
        world->hub.add_channel(telegram->chat());
        tasks->spawn(telegram->run());
        world->settle();
    }
    virtual void adjust(TelegramOptions& /*options*/) {}

    void TearDown() override {
        if (!telegram) return;
        http.hold(false);
        world->settle();
        tasks->cancel();
        bool stopped = false;
        boost::asio::co_spawn(world->io, telegram->stop(), [&](const std::exception_ptr&) { stopped = true; });
        world->settle();
        world->advance(limits::telegram_stop_max);
        EXPECT_TRUE(stopped);
        EXPECT_EQ(tasks->size(), 0U);
        EXPECT_TRUE(stray.empty()) << stray.front();
        for (const auto& line : problems) EXPECT_EQ(line.find(token.substr(10)), std::string::npos) << line;
    }

    Ulid ask(const std::string& command = "ls") {
        return ask(countersign::fakes::shell_request(world->ids.next(), command));
    }
    Ulid ask(Request request) {
        const auto asked = world->ask(std::move(request));
        EXPECT_TRUE(asked);
        world->settle();
        return *asked;
    }
    void push(Json update) {
        http.push(std::move(update));
        world->settle();
    }
    // The data of a button on the last card that has one with this label.
    [[nodiscard]] std::string button(const std::string& label) const {
        std::string data;
        for (const auto& call : http.calls) {
            if (!call.body.contains("reply_markup") || !call.body["reply_markup"].contains("inline_keyboard")) continue;
            for (const auto& row : call.body["reply_markup"]["inline_keyboard"]) {
                for (const auto& one : row) {
                    if (one["text"] == label) data = one["callback_data"];
                }
            }
        }
        return data;
    }
    void tap(const std::string& label, std::int64_t from = 77, std::int64_t chat = -100, std::int64_t message = 42) {
        push(click({.update = ++last_update, .from = from, .data = button(label), .chat = chat, .message = message}));
    }
    void type(const std::string& text, std::int64_t from = 77, std::int64_t chat = -100, std::int64_t reply_to = 0) {
        const auto date =
            std::chrono::duration_cast<std::chrono::seconds>(world->clock.wall().time_since_epoch()).count();
        push(message(
            {.update = ++last_update, .from = from, .text = text, .chat = chat, .date = date, .reply_to = reply_to}));
    }
    [[nodiscard]] std::string last_answer() const {
        const auto answers = http.of("answerCallbackQuery");
        return answers.empty() ? "" : answers.back()["text"];
    }
    [[nodiscard]] std::string last_text(const std::string& method = "sendMessage") const {
        const auto sent = http.of(method);
        return sent.empty() ? "" : sent.back()["text"];
    }
    [[nodiscard]] std::string code(const Ulid& id, const std::string& chat = "-100") const {
        return keys.codes.code(id, chat);
    }
    [[nodiscard]] const std::vector<Verdict>& forwarded() const { return world->agent.forwarded; }

    FakeTelegram http;
    channels::fakes::TestPorts ports;
    TestKeys& keys = ports.keys;
    std::unique_ptr<countersign::fakes::World> world;
    std::unique_ptr<TaskGroup> tasks;
    std::unique_ptr<Telegram> telegram;
    std::vector<std::string> stray;
    std::vector<std::string> problems;
    std::vector<std::int64_t> confirmed;
    std::vector<std::pair<std::string, std::string>> moved;
    std::int64_t last_update = 100;
};

}  // namespace countersign::channels::telegram::fakes
