// SPDX-License-Identifier: Apache-2.0
// The strict reading of web addresses: one host that every program agrees on, or none.
//
// Programs disagree about "https:/evil.io/://a.example.com", about back slashes, user names and numbers in octal. A
// host is reported only where the WHATWG URL parser, which browsers and Node follow, reports the same one and the
// spelling is the usual one. Every other URL is odd: it has no host that a rule may allow. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// A longer authority ("user@host:port") is odd, and so is a text with more URLs.
inline constexpr std::size_t url_authority_bytes_max = 1024;
inline constexpr std::size_t urls_max = 256;

// The host of an http or https URL as the WHATWG parser prints it, without a final dot: lower case, IPv6 compressed and
// in brackets. Nothing for an odd URL.
[[nodiscard]] std::optional<std::string> url_host(std::string_view url);

// The same for "example.com" and "example.com:8080": a host alone, without scheme and path.
[[nodiscard]] std::optional<std::string> bare_host(std::string_view text);

// A name in another script as URLs are compared: münchen.de is xn--mnchen-3ya.de. Nothing for a name with letters of
// which programs make different ones.
[[nodiscard]] std::optional<std::string> idna_host(std::string_view name);

struct FoundHosts {
    std::vector<std::string> hosts;     // of the URLs that are not odd
    std::vector<std::string> possible;  // what some program may read as the host of an odd one: to refuse, not to allow
    bool odd = false;                   // at least one URL is odd
};

// A text that should be one URL. Also finds the URLs inside it: "https://archive.example/https://evil.example/".
[[nodiscard]] FoundHosts hosts_of_url(std::string_view url);
// A text that should be one host, or one URL.
[[nodiscard]] FoundHosts hosts_of_host(std::string_view text);
// Words with URLs among them. Punctuation after a URL belongs to the sentence.
[[nodiscard]] FoundHosts hosts_in_text(std::string_view text);

}  // namespace countersign::security
