// SPDX-License-Identifier: Apache-2.0
// EventSocket: presses, modals, slash commands and direct messages over a connection to Discord's Gateway that we open,
// where no public address is at hand.
//
// There is one session and one connection at a time. A connection that breaks is followed by another that resumes the
// session, and Discord brings what was missed. There is no signature: what comes in is believed because TLS and the
// bot's token opened the connection.
//
// We ask for direct messages and for nothing else (intents). Interactions always come; the bot's own direct messages
// let a person answer a card or a question in plain words, and the platform gives their text without a privilege. Of
// what people write in servers nothing arrives.
#pragma once

#include "channels/discord/bounds.hpp"
#include "channels/discord/client.hpp"
#include "channels/discord/webhook.hpp"
#include "channels/token_bucket.hpp"
#include "core/hub/task_group.hpp"
#include "core/json/value.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "net/message_stream.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels::discord {

// One connection.
class Line : public net::MessageStream {
public:
    // Of the peer's close frame, once read() told that there was one.
    [[nodiscard]] virtual std::optional<std::uint16_t> closed() const = 0;
    // Says goodbye with this code and closes: a read that is under way ends.
    virtual boost::asio::awaitable<void> leave(std::uint16_t code) = 0;
};
using LinePtr = std::shared_ptr<Line>;
using Connect = std::function<boost::asio::awaitable<Result<LinePtr>>(std::string url)>;

// What a close code of Discord means for us.
struct Closing {
    enum class Then { resume, start_over, give_up } then = Then::resume;
    std::string_view why = {};  // and what to do, for the operator, where it is given up
};
[[nodiscard]] Closing closing_of(std::uint16_t code);

// Whether our token may go there: to Discord, or to the host of the configured base URL. What a server says is not a
// reason to send it anywhere else.
[[nodiscard]] bool may_connect_to(std::string_view url, std::string_view base_url);

class EventSocket {
public:
    struct Handler {
        TakePayload take;
        std::function<void()> expect = [] {};
        std::function<void(const std::string& line)> on_problem = {};
        // It is given up: trying again would not help.
        std::function<void(const std::string& why)> on_refused = {};
        std::function<void()> on_answered = {};  // Discord has the answer to an interaction, or won't take it
    };
    // Borrows all but the handler and the way to connect. Its tasks run in the group.
    EventSocket(DiscordClient& client, std::string base_url, Connect connect, Clock& clock, Ids& ids, TaskGroup& tasks,
                Handler handler);

    void start();
    // Nothing more is taken.
    void stop();
    [[nodiscard]] bool connected() const { return ready_; }
    // When it was last; nothing before the first time.
    [[nodiscard]] std::optional<BootTime> last_connected() const;
    // Why it was given up; empty while it is not.
    [[nodiscard]] const std::string& refused() const { return refused_; }
    // Interactions that are not answered yet.
    [[nodiscard]] std::size_t unanswered() const { return unanswered_; }

private:
    // What another connection needs to continue this session.
    struct Session {
        std::string id;
        std::string url;
    };
    // What becomes of a connection.
    enum class Ended { broken, replaced, wait_and_resume, start_over, refused };
    // Of one connection.
    struct Pulse {
        bool answered = true;
        std::chrono::milliseconds interval{0};
        TokenBucket sends{{.burst = limits::discord_sends_burst, .interval = limits::discord_sends_interval}};
    };

    boost::asio::awaitable<void> keep_line();
    boost::asio::awaitable<Result<LinePtr>> open();
    boost::asio::awaitable<Result<std::string>> address();
    boost::asio::awaitable<Ended> serve(LinePtr line);
    boost::asio::awaitable<std::optional<Ended>> hear(LinePtr line, std::shared_ptr<Pulse> pulse, std::string text);
    boost::asio::awaitable<std::optional<Ended>> greet(LinePtr line, std::shared_ptr<Pulse> pulse,
                                                       const json::Object& hello);
    void event(std::string_view name, const json::Object& event);
    boost::asio::awaitable<void> beat(LinePtr line, std::shared_ptr<Pulse> pulse);
    boost::asio::awaitable<void> send(LinePtr line, std::shared_ptr<Pulse> pulse, Json frame);
    boost::asio::awaitable<void> leave_unless_ready(LinePtr line);
    void take(Payload payload);
    boost::asio::awaitable<void> answer(Payload payload);
    boost::asio::awaitable<void> respond_to(Interaction interaction, std::string body);
    void end(std::string why);
    [[nodiscard]] Json identify() const;
    [[nodiscard]] Json resume() const;
    [[nodiscard]] Json heartbeat() const;
    [[nodiscard]] std::chrono::milliseconds part_of(std::chrono::milliseconds whole);  // by chance
    void tell(const std::string& line);  // once for as long as it stays the same

    DiscordClient& client_;
    std::string base_url_;
    Connect connect_;
    Clock& clock_;
    Ids& ids_;
    TaskGroup& tasks_;
    Handler handler_;
    TaskGroup::Handle keeping_;
    LinePtr line_;  // the open one
    std::optional<Session> session_;
    std::optional<std::int64_t> seq_;  // of the last event
    unsigned resumes_ = 0;             // tries since the session was last there
    std::optional<BootTime> identified_;
    TaskGroup::Handle beating_;
    bool ready_ = false;
    std::size_t in_hand_ = 0;     // interactions and messages that are with the handler
    std::size_t unanswered_ = 0;  // the same, and those whose answer is on its way
    bool stopped_ = false;
    std::string refused_;
    std::optional<BootTime> last_connected_;
    std::string last_told_;
};

}  // namespace countersign::channels::discord
