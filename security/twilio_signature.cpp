// SPDX-License-Identifier: Apache-2.0
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "security/form.hpp"
#include "security/hmac.hpp"
#include "security/signature_header.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace countersign::security {
namespace {

struct Url {
    std::string scheme;     // "https://"
    std::string authority;  // without its port
    std::string port;       // ":443", or empty
    std::string path;
    std::string query;  // with its '?', or empty; the fragment is dropped, because it isn't signed
};

bool is_port(std::string_view text) {
    return text.size() > 1 && text.front() == ':' &&
           std::ranges::all_of(text.substr(1), [](char symbol) { return symbol >= '0' && symbol <= '9'; });
}

Result<Url> parse_url(std::string_view text) {
    text = text.substr(0, text.find('#'));
    const auto scheme = text.starts_with("https://") ? 8U : text.starts_with("http://") ? 7U : 0U;
    if (scheme == 0) return Error{Errc::bad_config, "the public URL of a Twilio webhook begins with https://"};
    Url url{.scheme = std::string{text.substr(0, scheme)}, .authority = {}, .port = {}, .path = {}, .query = {}};
    text.remove_prefix(scheme);
    const auto query = std::min(text.find('?'), text.size());
    url.query = text.substr(query);
    text = text.substr(0, query);
    const auto path = std::min(text.find('/'), text.size());
    url.path = text.substr(path);
    url.authority = text.substr(0, path);
    // The last colon, but not one inside an IPv6 address or before the '@' of a user name.
    const auto colon = url.authority.rfind(':');
    if (colon != std::string::npos && is_port(std::string_view{url.authority}.substr(colon))) {
        url.port = url.authority.substr(colon);
        url.authority.resize(colon);
    }
    return url;
}

// Like the WHATWG URL serialiser: the vendor's libraries normalise the query with it before they sign.
std::string with_escaped_quotes(std::string_view query) {
    std::string escaped;
    for (const char symbol : query) {
        escaped += symbol == '\'' ? std::string_view{"%27"} : std::string_view{&symbol, 1};
    }
    return escaped;
}

void append_component(std::string& text, std::string_view plain) {
    constexpr std::string_view kept = "-_.!~*'()";
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char symbol : plain) {
        const bool alphanumeric =
            (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9');
        if (alphanumeric || kept.find(symbol) != std::string_view::npos) {
            text += symbol;
            continue;
        }
        const auto byte = static_cast<unsigned char>(symbol);
        text += '%';
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
}

// Like Node's old querystring module, which the vendor calls the legacy encoding: a space is %20.
std::optional<std::string> in_legacy_encoding(std::string_view query) {
    if (query.size() < 2) return std::nullopt;
    const auto fields = parse_form(query.substr(1));
    if (!fields) return std::nullopt;
    std::string text;
    for (const auto& field : *fields) {
        text += text.empty() ? '?' : '&';
        append_component(text, field.name);
        text += '=';
        append_component(text, field.value);
    }
    return text;
}

// Twilio signs the URL as its products see it: some with the port and some without, in one of several encodings. All of
// them are our own URL, so trying each costs time but no safety.
std::set<std::string> spellings_of(const Url& url) {
    std::set<std::string> ports{"", url.port};
    if (url.port.empty()) ports.insert(url.scheme == "https://" ? ":443" : ":80");
    std::set<std::string> queries{url.query, with_escaped_quotes(url.query)};
    if (const auto legacy = in_legacy_encoding(url.query)) queries.insert(*legacy);
    std::set<std::string> spellings;
    for (const auto& port : ports) {
        const auto before_query = url.scheme + url.authority + port + url.path;
        for (const auto& query : queries) spellings.insert(std::string{before_query}.append(query));
    }
    return spellings;
}

// Sorted by name and then value, equal pairs once, without separators.
Result<std::string> signed_fields(std::string_view body) {
    const auto fields = parse_form(body);
    if (!fields) return fields.error();
    const std::set<FormField> sorted{fields->begin(), fields->end()};
    std::string text;
    for (const auto& field : sorted) text.append(field.name).append(field.value);
    return text;
}

// If the query parameter is present, it must match the body; it must be present unless form fields are signed. A form
// can't bypass it: otherwise a signed JSON delivery would stay valid with its type changed to a form and an empty body.
Result<void> check_body_digest(const Url& url, const TwilioDelivery& delivery) {
    const auto fields = parse_form(url.query.empty() ? std::string_view{} : std::string_view{url.query}.substr(1));
    if (!fields) return Error{Errc::malformed, "the query of the URL does not parse"};
    const auto is_digest = [](const FormField& field) { return field.name == "bodySHA256"; };
    const auto count = std::ranges::count_if(*fields, is_digest);
    if (count > 1) return Error{Errc::malformed, "the URL has bodySHA256 twice"};
    if (count == 0) {
        if (is_form(delivery.content_type)) return {};
        return Error{Errc::bad_signature, "a body that is no form needs bodySHA256 in the URL"};
    }
    const auto& digest = std::ranges::find_if(*fields, is_digest)->value;
    if (!equal_in_constant_time(hex(sha256(delivery.body)), digest)) {
        return Error{Errc::bad_signature, "the body is not the one that bodySHA256 names"};
    }
    return {};
}

Result<Bytes> parse_signature(std::string_view header) {
    if (header.empty()) return Error{Errc::bad_signature, "no signature header"};
    constexpr std::size_t base64_chars = 28;
    if (header.size() == base64_chars) {
        if (auto bytes = base64_decode(header); bytes && bytes->size() == sizeof(Mac160)) return bytes;
    }
    return Error{Errc::malformed, "the signature header is not the base64 of 20 bytes"};
}

}  // namespace

Result<void> verify_twilio(const Secret& auth_token, const TwilioDelivery& delivery) {
    if (const auto present = check_secret_present(auth_token); !present) return present;
    if (const auto bounded = check_body_bound(delivery.body); !bounded) return bounded;
    const auto given = parse_signature(delivery.signature);
    if (!given) return given.error();
    const auto url = parse_url(delivery.url);
    if (!url) return url.error();
    const auto fields = is_form(delivery.content_type) ? signed_fields(delivery.body) : Result<std::string>{""};
    if (!fields) return fields.error();

    bool fits = false;
    for (const auto& spelling : spellings_of(*url)) {
        fits |= equal_in_constant_time(hmac_sha1(auth_token, {spelling, *fields}), *given);
    }
    if (!fits) {
        return Error{Errc::bad_signature,
                     "the signature does not fit: another token signed it, the bytes were changed, or "
                     "the public URL is not the one that Twilio calls"};
    }
    return check_body_digest(*url, delivery);
}

}  // namespace countersign::security
