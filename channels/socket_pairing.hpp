// SPDX-License-Identifier: Apache-2.0
// SocketPairing: pairing over a connection that brings what people write: Slack's Socket Mode, Discord's Gateway. It
// waits, passes each text to Pairing and answers. A platform brings the connection and reads its payloads.
//
// One object is one pairing.
#pragma once

#include "channels/pairing.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels {

struct Paired {
    std::string id;    // as the platform's PrincipalKind reads it
    std::string name;  // as they call themselves; empty where the platform did not tell
};

class SocketPairing {
public:
    virtual ~SocketPairing() = default;
    SocketPairing(const SocketPairing&) = delete;
    SocketPairing& operator=(const SocketPairing&) = delete;

    // Errc::timeout, pairing_max after the last code; or what `refuse` was given.
    boost::asio::awaitable<Result<Paired>> run();

protected:
    using Tell = std::function<void(const std::string& text)>;  // the person at the terminal; ends with a line feed
    // Borrows the clock. Shows the first code.
    SocketPairing(const boost::asio::any_io_executor& executor, Clock& clock, PairingTerminal terminal, Tell tell);

    struct Said {
        PairingText what;
        std::string chat;  // where an answer goes
        bool by_person = true;
    };
    void hear(const Said& said, Paired by);
    // A command, which its sender and the bot alone read. The answer to it.
    [[nodiscard]] std::string_view hear_command(std::string_view text, Paired by);
    // A text that others read too.
    void overhear(const std::string& text);
    // The connection is given up.
    void refuse(Error why);
    // An answer that the platform waited for is there.
    void answered() { changed_.cancel(); }
    void tell(const std::string& text) const { tell_(text); }
    [[nodiscard]] TaskGroup& tasks() { return tasks_; }

private:
    virtual void start() = 0;
    virtual void stop() = 0;
    // Deliveries that the platform waits for an answer to. Without one it would bring them again, to the next hub.
    [[nodiscard]] virtual std::size_t in_hand() const = 0;
    // A courtesy: whether it arrives changes nothing.
    virtual boost::asio::awaitable<void> write_to(std::string chat, std::string_view words) = 0;
    // What may be wrong if nothing came at all; a question.
    [[nodiscard]] virtual std::string_view doubt() const = 0;

    [[nodiscard]] bool is_done() const;
    boost::asio::awaitable<void> wake_at_the_end();

    Clock& clock_;
    Tell tell_;
    boost::asio::steady_timer changed_;  // cancelled when there is something to look at
    TaskGroup tasks_;
    Pairing pairing_;
    std::optional<Paired> paired_;
    std::string chat_;  // the direct messages of the person who was paired there
    std::optional<Error> refused_;
    bool heard_ = false;
};

}  // namespace countersign::channels
