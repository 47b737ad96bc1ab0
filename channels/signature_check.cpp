// SPDX-License-Identifier: Apache-2.0
#include "channels/signature_check.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace countersign::channels {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string with_breaks(std::string_view text, bool carriage_returns) {
    std::string made;
    for (const char c : text) {
        if (c == '\r') continue;
        if (c == '\n' && carriage_returns) made += '\r';
        made += c;
    }
    return made;
}

std::string trimmed(std::string_view text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    return std::string{text.substr(0, last == std::string_view::npos ? 0 : last + 1)};
}

// Empty where it is not JSON.
std::string compact(std::string_view text, bool ascii) {
    const auto json = OrderedJson::parse(text, nullptr, false);
    return json.is_discarded() ? std::string{} : json.dump(-1, ' ', ascii, OrderedJson::error_handler_t::replace);
}

// What editors, shells and frameworks do to a body, undone.
struct Undone {
    std::string body;
    std::string_view how;
};
std::array<Undone, 6> undone(std::string_view body) {
    return {{{trimmed(body), "without the line break or blanks at its end"},
             {std::string{body} + "\n", "with a line feed at its end"},
             {with_breaks(body, false), "with LF line breaks instead of CRLF"},
             {with_breaks(body, true), "with CRLF line breaks instead of LF"},
             {compact(body, false), "as compact JSON, so something parsed it and wrote it again"},
             {compact(body, true), "as compact JSON in ASCII, so something parsed it and wrote it again"}}};
}

// Right but for the time is right enough to tell.
bool fits(const Result<void>& verified) { return verified || verified.error().code == Errc::stale; }

std::string_view change_in(const SignatureCheck& check, std::string_view key, CapturedDelivery delivery) {
    for (auto& [body, how] : undone(std::exchange(delivery.body, {}))) {
        delivery.body = std::move(body);
        if (fits(check.verify(key, delivery))) return how;
    }
    return {};
}

}  // namespace

Result<void> explain(const SignatureCheck& check, std::string_view key, const CapturedDelivery& delivery) {
    const auto verified = check.verify(key, delivery);
    if (verified) return {};
    auto why = verified.error();
    if (why.code == Errc::stale) {
        why.detail = "the signature is right, but " + why.detail +
                     "; if it was captured earlier give its time as --now, else it is a replay or a clock is wrong";
    } else if (why.code == Errc::malformed) {
        why.detail += "; copy the header's value as it came, without its name and without quotes";
    } else if (why.code == Errc::bad_signature && check.signs_body) {
        const auto how = change_in(check, key, delivery);
        why.detail = how.empty()
                         ? "the signature does not fit: " + std::string{check.key} +
                               " is another one, or the timestamp or the body is not what was sent, byte for byte"
                         : "the body was changed after it was signed: it fits " + std::string{how};
    } else if (why.code == Errc::bad_signature) {
        why.detail = "the header is not the secret: " + std::string{check.key} + " is another one";
    }
    return why;
}

}  // namespace countersign::channels
