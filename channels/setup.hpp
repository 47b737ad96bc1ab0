// SPDX-License-Identifier: Apache-2.0
// Setup: the platform's half of `countersign setup <kind>`.
//
// The dialogue is in app/setup: it knows where everything goes, asks for the credentials and for a person's name,
// changes the configuration safely, keeps copies, and sends a test approval. A platform says which credentials it needs
// and checks them, finds the person, and brings options of its own. One Setup is one run of the command.
#pragma once

#include "channels/platform.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/http_client.hpp"
#include "core/ports/ids.hpp"
#include "core/result.hpp"
#include "security/secret.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels {

// An option of one platform's set-up.
struct SetupOption {
    std::string_view name;  // "--webhook"
    std::string_view help;
    bool is_flag = false;
    std::string_view excludes = {};  // another of these
};

// A secret that is asked for and not shown. It is kept in a file beside the configuration.
struct Credential {
    std::string_view setting;   // of the channel: "token_file"
    std::string_view file;      // "telegram-token"
    std::string_view question;  // ends with ": "
    std::string steps = {};     // how to get it, in whole lines; told before the question
};

// The person who wrote the code.
struct PairedPerson {
    std::string id;                                  // as the platform's PrincipalKind reads it, e.g. "77"
    std::string first_name = {};                     // as they call themselves
    std::map<std::string, std::string> groups = {};  // id, title: those that the bot is in; they may be asked in one
};

// Settings of one channel's table, as they shall be.
struct ChannelChange {
    std::string channel = {};                                   // the configured channel fills it in
    std::vector<std::pair<std::string, std::string>> set = {};  // key, text
    std::vector<std::string> remove = {};
};

// A secret, and the file or credential that has it.
struct KeptSecret {
    security::Secret value;
    std::string file;
};

// A channel that is configured, for a Setup that changes how it works. Nothing is written before `write`.
class ConfiguredChannel {
public:
    virtual ~ConfiguredChannel() = default;
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual const Settings& settings() const = 0;
    [[nodiscard]] virtual const std::string& file() const = 0;  // the configuration
    // Errc::busy if a hub runs in the state directory: it has its way of hearing people.
    [[nodiscard]] virtual Result<void> no_hub_runs() const = 0;
    // The public address of this channel, below https://host[:port][/prefix]; its other paths are below it. Errc::
    // bad_config for what a platform would not call.
    [[nodiscard]] virtual Result<std::string> address(const std::string& given) const = 0;
    // The secret that the setting names. If there is no such file, a new one of 64 hex digits is written to it, or to
    // `file` beside the configuration.
    [[nodiscard]] virtual Result<KeptSecret> secret_or_new(const std::string& setting, const std::string& file) = 0;
    // The secret that the credential's setting names. If the setting isn't written, the operator is asked, again while
    // `check` refuses it; what they give is in the credential's file, beside the configuration, after `write`.
    using CheckSecret = std::function<Result<void>(const security::Secret& value)>;
    [[nodiscard]] virtual Result<KeptSecret> secret_or_asked(const Credential& credential,
                                                             const CheckSecret& check) = 0;
    // Take the change for `write`, and a [gateway] that listens: on `listen`, or where it does now, or on
    // 127.0.0.1:8080. Errc::unsupported or Errc::conflict if the file can't be changed so.
    [[nodiscard]] virtual Result<void> plan(ChannelChange change) = 0;
    [[nodiscard]] virtual Result<void> plan_listener(const std::string& listen) = 0;
    // Keeps a copy of the old file. Errc::unsupported, with the lines to write by hand, if the new text would not read
    // as what was wanted.
    [[nodiscard]] virtual Result<void> write() = 0;
    // Which of these settings, and whether the listener, only a webhook of this channel needs: "listen in [gateway]".
    [[nodiscard]] virtual std::vector<std::string> only_for_webhook(const std::vector<std::string>& settings) const = 0;
};

// The first four are borrowed.
struct SetupContext {
    boost::asio::any_io_executor executor;
    HttpClient& http;
    Clock& clock;
    Ids& ids;
    std::function<void(const std::string& text)> tell;           // the person at the terminal; ends with a line feed
    std::map<std::string, std::string, std::less<>> given = {};  // the platform's options by name; a flag is "true"
    bool force = false;                                          // take away what another program of the operator set
    std::string command;                                         // "countersign setup telegram", for advice
    // The public address of a webhook of the channel that is set up, from https://host[:port][/prefix], as
    // ConfiguredChannel::address has it once there is one.
    std::function<Result<std::string>(const std::string& given)> address = {};

    [[nodiscard]] std::string option(std::string_view name) const {
        const auto found = given.find(name);
        return found == given.end() ? std::string{} : found->second;
    }
};

// Tells what of a webhook is left in the configuration after `channel` was switched to `way`, e.g. "Socket Mode".
// `settings` are the channel's that only a webhook needs.
void tell_unused(const SetupContext& context, std::string_view way, const ConfiguredChannel& channel,
                 const std::vector<std::string>& settings);

class Setup {
public:
    virtual ~Setup() = default;

    // Something to print instead of setting anything up, e.g. a manifest to paste. Nothing: it is a set-up.
    [[nodiscard]] virtual std::optional<Result<std::string>> printed() { return std::nullopt; }

    // Asked for in this order; at least one. The first says which bot it is: two channels must not share it.
    [[nodiscard]] virtual std::vector<Credential> credentials() = 0;
    // Whether the platform takes it. Errc::missing_secret or bad_config: it is asked for again. A Setup keeps what it
    // needs for the next steps.
    virtual boost::asio::awaitable<Result<void>> check(const Credential& credential, security::Secret value) = 0;
    // By a code that a person writes in a private chat (channels/pairing.hpp): never the first who writes.
    virtual boost::asio::awaitable<Result<PairedPerson>> pair() = 0;
    // Whether requests can be shown in this chat. Errc::bad_config: another one is asked for.
    virtual boost::asio::awaitable<Result<void>> check_chat(std::string /*chat*/) { co_return Result<void>{}; }
    // Of the channel's table, besides its kind and the files of the credentials.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> settings() { return {}; }

    // Whether the options are about a channel that is configured already, e.g. another way to hear people. Asked with
    // false where there is no configuration yet; asked again with true when the new channel is written.
    [[nodiscard]] virtual bool changes_channel(bool /*is_configured*/) const { return false; }
    // Does it. What the operator should know at the end, in one line; not told where the channel is new.
    virtual boost::asio::awaitable<Result<std::string>> change(ConfiguredChannel& /*channel*/) {
        co_return Error{Errc::unsupported, "there is nothing to change"};
    }
};

// A platform's set-up as the command line knows it.
struct SetupKind {
    std::string_view title;    // "Telegram"
    std::string_view help;     // of the command, one line
    std::string_view what;     // that is added to a configuration: "the bot"
    std::string_view channel;  // the name of the first channel
    std::string_view channel_help;
    std::string_view force_help;  // what --force does here besides
    std::string_view footer;
    std::span<const SetupOption> options = {};
    std::unique_ptr<Setup> (*open)(SetupContext context);
};

}  // namespace countersign::channels
