// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/open.hpp"

#include "core/decimal.hpp"

#include <utility>

namespace countersign::channels::telegram {

namespace {

constexpr std::string_view offset_key = "offset";
constexpr std::string_view caught_up_key = "caughtUp";
constexpr std::string_view moved_prefix = "moved ";  // and the id that a group had

}  // namespace

Result<TelegramOptions> options_of(const Settings& settings, WallTime now) {
    TelegramOptions options;
    auto token = settings.secret("token_file");
    if (!token) return token.error();
    options.token = std::move(*token);
    auto secrets = read_webhook_secrets(settings, "webhook_secret_file", now);
    if (!secrets) return secrets.error();
    options.secrets = std::move(*secrets);
    options.webhook_url = settings.text("webhook_url");
    if (auto url = settings.text("base_url"); !url.empty()) options.base_url = std::move(url);
    if (settings.text("mode") == "webhook") options.mode = Mode::webhook;
    return options;
}

Result<void> remember(TelegramOptions& options, Memory& memory) {
    for (const auto& [name, value] : memory.values()) {
        bool is_right = true;
        if (name == offset_key) {
            options.offset = parse_decimal<std::int64_t>(value);
            is_right = options.offset.has_value();
        } else if (name == caught_up_key) {
            options.caught_up = wall_time_of(value);
            is_right = options.caught_up.has_value();
        } else if (name.starts_with(moved_prefix)) {
            options.moved.emplace_back(name.substr(moved_prefix.size()), value);
        }
        if (!is_right) return Error{Errc::damaged, "the remembered " + name + " cannot be read: " + value};
    }
    options.on_confirmed = [&memory](std::int64_t offset) {
        memory.keep(std::string{offset_key}, std::to_string(offset));
    };
    options.on_caught_up = [&memory, last = options.caught_up](WallTime now) mutable {
        if (last && now >= *last && now - *last < limits::caught_up_kept_every) return;
        last = now;
        memory.keep(std::string{caught_up_key}, rfc3339(now));
    };
    options.on_moved = [&memory](const std::string& from, const std::string& to) {
        memory.keep(std::string{moved_prefix} + from, to);
    };
    return {};
}

Result<std::unique_ptr<Platform>> open(PlatformContext context) {
    auto& ports = context.ports;
    auto options = options_of(context.settings, ports.clock.wall());
    if (!options) return options.error();
    options->name = std::move(context.name);
    options->people = std::move(context.people);
    options->is_used = std::move(context.is_used);
    options->handled = std::move(context.handled);
    if (const auto read = remember(*options, ports.memory); !read) return read.error();
    auto opened = Telegram::open(context.executor, std::move(*options), ports);
    if (!opened) return opened.error();
    return std::unique_ptr<Platform>{std::move(*opened)};
}

}  // namespace countersign::channels::telegram
