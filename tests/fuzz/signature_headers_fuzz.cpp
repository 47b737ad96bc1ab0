// SPDX-License-Identifier: Apache-2.0
// Any bytes as a signature, a timestamp, a form, a button or a code: nothing crashes, nothing verifies without the key,
// and a value made with the key verifies.
//
// Input: header, newline, timestamp, newline, body.
#include "core/limits.hpp"
#include "security/button_token.hpp"
#include "security/crockford.hpp"
#include "security/encoding.hpp"
#include "security/form.hpp"
#include "security/hmac.hpp"
#include "security/replay_guard.hpp"
#include "security/short_code.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::security;

void require(bool held) {
    if (!held) std::abort();
}

std::string_view line_of(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

const Secret& key() {
    static const Secret secret = Secret::random(32);
    return secret;
}
const Ed25519SigningKey& signing_key() {
    static const auto made = Ed25519SigningKey::from_seed(key());
    return *made;
}

const FreshnessWindow window{.now = WallTime{std::chrono::seconds{1'700'000'000}}, .started = WallTime{}};
constexpr std::string_view fresh = "1700000000";

void nothing_fits_without_the_key(std::string_view header, std::string_view timestamp, std::string_view body) {
    for (const auto time : {timestamp, fresh}) {
        require(!verify_slack(key(), {time, header, body}, window));
        require(!verify_discord(signing_key().public_key(), {time, header, body}, window));
    }
    require(!verify_telegram(key(), header));
    require(!verify_meta(key(), {header, body}));
    for (const auto* type : {"application/x-www-form-urlencoded", "application/json"}) {
        require(!verify_twilio(key(), {"https://h.example/sms?a=1", type, header, body}));
        require(!verify_twilio(key(), {body, type, header, body}));
    }
}

void what_the_key_signed_fits(std::string_view body) {
    if (body.size() > limits::webhook_body_bytes_max) return;
    const auto slack = "v0=" + hex(hmac_sha256(key(), {"v0:", fresh, ":", body}));
    require(verify_slack(key(), {fresh, slack, body}, window).has_value());
    const auto discord = hex(signing_key().sign(std::string{fresh}.append(body)));
    require(verify_discord(signing_key().public_key(), {fresh, discord, body}, window).has_value());
    require(verify_meta(key(), {"sha256=" + hex(hmac_sha256(key(), {body})), body}).has_value());
}

void timestamps_have_one_spelling(std::string_view text) {
    const auto parsed = parse_unix_seconds(text);
    if (!parsed) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(parsed->time_since_epoch()).count();
    require(std::to_string(seconds) == text);
}

void forms_survive_being_written_again(std::string_view text) {
    const auto fields = parse_form(text);
    if (!fields) return;
    require(fields->size() <= limits::form_fields_max);
    std::string again;
    const auto append = [&](std::string_view plain) {
        for (const char symbol : plain) {
            again += '%';
            again += hex(std::string_view{&symbol, 1});
        }
    };
    for (const auto& field : *fields) {
        if (!again.empty()) again += '&';
        append(field.name);
        again += '=';
        append(field.value);
    }
    const auto reread = parse_form(again);
    require(reread && *reread == *fields);
}

void buttons_work_where_they_were_made(std::string_view token, std::string_view channel, std::string_view chat) {
    static const ButtonTokens tokens{key().duplicate(), Secret::random(32)};
    require(!tokens.verify(token, {channel, chat}));
    const auto digit = [&](std::size_t at) {
        return static_cast<std::uint8_t>(at < token.size() ? static_cast<unsigned char>(token[at]) % 32 : 0);
    };
    const Button button{static_cast<ButtonVerb>(digit(0) % 4), {}, digit(1), digit(2), digit(3)};
    const auto minted = tokens.mint(button, {channel, chat});
    require(minted && minted->size() == button_token_bytes);
    const auto verified = tokens.verify(*minted, {channel, chat});
    require(verified && *verified == button);
    require(!tokens.verify(*minted, {channel, std::string{chat} + "x"}));
}

void codes_are_read_in_one_form(std::string_view typed) {
    static const ShortCodes codes{key().duplicate()};
    require(!codes.fits(typed, Ulid{}, "somebody"));
    const auto parsed = parse_short_code(typed);
    if (!parsed) return;
    require(parsed->size() == short_code_chars && *parse_short_code(*parsed) == *parsed);
    require(std::ranges::all_of(*parsed, [](char symbol) { return crockford_value(symbol).has_value(); }));
}

void a_public_key_is_what_it_was_read_from(std::string_view text) {
    const auto parsed = Ed25519PublicKey::parse(text);
    if (parsed) require(Ed25519PublicKey::parse(hex(parsed->bytes())).has_value());
}

void a_delivery_is_taken_once(std::string_view channel, std::string_view id) {
    ReplayGuard guard{{.keep = std::chrono::seconds{1}, .entries_max = 2}};
    const bool first = guard.take(channel, id, BootTime{}).has_value();
    const auto again = guard.take(channel, id, BootTime{});
    require(!again && (!first || again.error().code == Errc::replayed));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest{reinterpret_cast<const char*>(data), size};
    const auto header = line_of(rest);
    const auto timestamp = line_of(rest);
    nothing_fits_without_the_key(header, timestamp, rest);
    what_the_key_signed_fits(rest);
    timestamps_have_one_spelling(timestamp);
    forms_survive_being_written_again(rest);
    buttons_work_where_they_were_made(header, timestamp, rest);
    codes_are_read_in_one_form(header);
    a_public_key_is_what_it_was_read_from(header);
    a_delivery_is_taken_once(timestamp, header);
    return 0;
}
