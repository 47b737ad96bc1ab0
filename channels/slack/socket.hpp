// SPDX-License-Identifier: Apache-2.0
// SocketMode: clicks, slash commands and messages over connections that we open, where no public address is at hand.
//
// There are two, and each envelope comes by one of them: so one can be replaced without a gap. When Slack announces an
// end, the new connection is open before the old one is left, and the old one is read to its end. There is no
// signature: what comes in is believed because TLS and the app's token opened the connection.
#pragma once

#include "channels/slack/client.hpp"
#include "channels/slack/webhook.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "net/message_stream.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace countersign::channels::slack {

using Stream = std::shared_ptr<net::MessageStream>;
using Connect = std::function<boost::asio::awaitable<Result<Stream>>(std::string url)>;

class SocketMode {
public:
    struct Handler {
        TakePayload take;
        std::function<void()> expect = [] {};
        std::function<void(const std::string& line)> on_problem = {};
        std::function<void()> on_refused = {};  // Slack refuses the app's token, or the app no longer uses Socket Mode
        // Slack greets a connection, and says how many the app has: more than ours are another program's.
        std::function<void(std::size_t connections)> on_greeted = {};
        std::function<void()> on_acknowledged = {};  // an envelope is no longer in hand
    };
    // Borrows all but the handler and the way to connect. Its tasks run in the group.
    SocketMode(const SlackClient& client, Connect connect, Clock& clock, Ids& ids, TaskGroup& tasks, Handler handler);

    void start();
    // Nothing more is taken.
    void stop();
    // Connections that Slack has greeted.
    [[nodiscard]] std::size_t connected() const { return greeted_; }
    // Envelopes that came and are not acknowledged yet. Slack brings those again, to the next connection.
    [[nodiscard]] std::size_t in_hand() const { return in_hand_; }
    // When the last one was there; nothing before the first.
    [[nodiscard]] std::optional<BootTime> last_connected() const;

private:
    enum class Ended { broken, replaced, refused };
    boost::asio::awaitable<void> keep_line();
    boost::asio::awaitable<Result<Stream>> open();
    boost::asio::awaitable<Ended> serve(Stream stream);
    // Reads an old connection to its end, or for slack_drain_max.
    boost::asio::awaitable<void> drain(Stream stream);
    boost::asio::awaitable<void> close_later(Stream stream);
    // What is to become of the connection after this message; nothing: it goes on.
    std::optional<Ended> hear(const Stream& stream, const std::string& text);
    boost::asio::awaitable<void> envelope(Stream stream, std::string id, Payload payload, bool takes_payload);
    boost::asio::awaitable<void> acknowledge(net::MessageStream& stream, const std::string& id,
                                             const std::string& payload);
    boost::asio::awaitable<void> fill(Payload payload, std::shared_ptr<ReplySlot> slot);
    boost::asio::awaitable<void> fill_late(std::shared_ptr<ReplySlot> slot);
    void tell(const std::string& line);  // once for as long as it stays the same

    const SlackClient& client_;
    Connect connect_;
    Clock& clock_;
    Ids& ids_;
    TaskGroup& tasks_;
    Handler handler_;
    std::vector<TaskGroup::Handle> lines_;
    std::set<Stream> streams_;  // open ones
    std::size_t greeted_ = 0;
    std::size_t in_hand_ = 0;
    bool stopped_ = false;
    bool refused_ = false;
    std::optional<BootTime> last_connected_;
    std::string last_told_;
};

}  // namespace countersign::channels::slack
