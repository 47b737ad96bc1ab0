// SPDX-License-Identifier: Apache-2.0
// Platform: what the folder of a chat platform gives to the program: one running channel.
//
// The composition root knows a platform by its registry entry and by this interface only. It calls, on the owner's
// thread and in this order: the platform's OpenPlatform, start, run, stop_listening, stop. Platforms start and run side
// by side.
#pragma once

#include "channels/chat_channel.hpp"
#include "channels/keys.hpp"
#include "channels/outbox.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/drafts.hpp"
#include "core/ports/http_client.hpp"
#include "core/ports/ids.hpp"
#include "core/ports/inbound.hpp"
#include "core/ports/open_requests.hpp"
#include "core/result.hpp"
#include "core/time.hpp"
#include "security/secret.hpp"
#include "security/secret_file.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels {

// The settings of one channel, checked by the rules of its kind. Secrets are read when they are asked for.
class Settings {
public:
    using FindSecret = std::function<Result<security::Secret>(const std::string& file)>;
    explicit Settings(std::map<std::string, std::string> values, FindSecret find = find_secret)
        : values_{std::move(values)}, find_{std::move(find)} {}

    // Empty if it is not written.
    [[nodiscard]] std::string text(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? std::string{} : found->second;
    }
    // Of a setting of type moment.
    [[nodiscard]] std::optional<WallTime> moment(const std::string& name) const {
        const auto written = text(name);
        return wall_time_of(written.substr(0, written.find('Z')) + ".000Z");
    }
    // The secret in the file or credential that this setting names. Errc::missing_secret with what to do.
    [[nodiscard]] Result<security::Secret> secret(const std::string& name) const { return find_(text(name)); }
    // Nothing if the setting is not written.
    [[nodiscard]] Result<std::optional<security::Secret>> optional_secret(const std::string& name) const {
        if (!values_.contains(name)) return std::optional<security::Secret>{};
        auto found = secret(name);
        if (!found) return found.error();
        return std::optional{std::move(*found)};
    }

private:
    static Result<security::Secret> find_secret(const std::string& file) {
        return security::find_secret(file, security::credentials_directory());
    }

    std::map<std::string, std::string> values_;
    FindSecret find_;
};

// What a channel must still know after a restart, besides what the log knows: a few short texts by name, such as where
// to continue reading.
class Memory {
public:
    virtual ~Memory() = default;
    // What was kept, also by the run before this one.
    [[nodiscard]] virtual const std::map<std::string, std::string>& values() const = 0;
    // Returns at once and is on disk a moment later, so a crash may lose the last changes. The operator is told of what
    // can't be kept, e.g. past channel_memory_values_max.
    virtual void keep(const std::string& name, std::string value) = 0;
};

// Borrowed: they outlive the platform.
struct PlatformPorts {
    HttpClient& http;
    Clock& clock;
    Ids& ids;
    Deliveries& deliveries;
    Attempts& attempts;
    const OpenRequests& open;
    Drafts& drafts;
    Keys keys;
    Memory& memory;
};

[[nodiscard]] inline ChatPorts chat_ports(Messenger& messenger, const PlatformPorts& ports) {
    return {.messenger = messenger,
            .clock = ports.clock,
            .ids = ports.ids,
            .deliveries = ports.deliveries,
            .attempts = ports.attempts,
            .open = ports.open,
            .drafts = ports.drafts,
            .keys = ports.keys};
}

// Everything that a platform needs to open one channel.
struct PlatformContext {
    boost::asio::any_io_executor executor;
    std::string name;  // of the channel, in the configuration
    Settings settings;
    PlatformPorts ports;
    ChatPeople people = {};                                     // asks the configuration of the moment
    std::function<bool(const std::string& chat)> is_used = {};  // a chat that the configuration names on this channel
    std::function<std::vector<std::string>()> chats = {};       // all of those
    std::vector<std::string> handled = {};                      // deliveries that changed something before this start
};

// One public address of a channel: /webhooks/<kind>/<name>, or /webhooks/<kind>/<name>/<below>.
struct InboundPath {
    Inbound* inbound = nullptr;  // the platform's; lives as long as it
    std::string below = {};      // one plain part of a path, e.g. "commands"; empty: the channel's own address
    bool answers_get = false;    // besides POST
};

class Platform {
public:
    virtual ~Platform() = default;

    // Where requests are shown. Most platforms give their ChatChannel.
    [[nodiscard]] virtual Channel& channel() = 0;
    // The addresses that the gateway serves for this channel; none if it fetches what people say by itself.
    [[nodiscard]] virtual std::vector<InboundPath> inbound() { return {}; }

    // Asks the platform who we are. Errc::unavailable: it was not reached, which the platform has told the operator,
    // and run() keeps trying. Any other error stops the program.
    virtual boost::asio::awaitable<Result<void>> start() = 0;
    // "@ops_bot, polling": who we are and how we hear, for the operator. Asked after start.
    [[nodiscard]] virtual std::string introduction() const = 0;
    // Runs beside the agents until it has nothing more to do; cancelled after stop.
    virtual boost::asio::awaitable<void> run() = 0;
    // The front closes: nothing more is taken or confirmed, so what comes now waits for the next start. What was taken
    // is still answered, and edits still go out.
    virtual void stop_listening() = 0;
    // After Hub::stop: sends the last edits within the platform's own limit, then ends every task. Precondition of the
    // destructor.
    virtual boost::asio::awaitable<void> stop() = 0;

    // Why nobody could decide here now, a line each; empty if all is well.
    [[nodiscard]] virtual std::vector<std::string> unready() const { return {}; }
    // What waits to be sent, at most so many chats of it.
    [[nodiscard]] virtual OutboxReport outbox(std::size_t /*chats_max*/) const { return {}; }
    // A reload: reads and checks what the new settings need and changes nothing; called on another thread, and may
    // block. The result puts it into force, on the owner's thread, and cannot fail. Only settings that are marked as
    // reloadable differ; a secret in a file may differ too.
    [[nodiscard]] virtual Result<std::function<void()>> prepare(const Settings& wanted) = 0;
};

// Checks settings and secrets, and starts nothing. Errc::missing_secret for a secret that is absent or weak (I2).
using OpenPlatform = Result<std::unique_ptr<Platform>> (*)(PlatformContext context);

}  // namespace countersign::channels
