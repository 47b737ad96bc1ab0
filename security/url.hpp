// SPDX-License-Identifier: Apache-2.0
// Strict URL parsing: returns the one host on which every program agrees, or none.
//
// Programs disagree about "https:/evil.io/://a.example.com", about backslashes, user names and octal numbers. A host is
// returned only if the WHATWG URL parser, which browsers and Node use, returns the same one and the spelling is the
// usual one. Every other URL is odd: it has no host that a rule may allow. Pure.
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
// in brackets. nullopt for an odd URL.
[[nodiscard]] std::optional<std::string> url_host(std::string_view url);

// The same for "example.com" and "example.com:8080": only a host, without scheme and path.
[[nodiscard]] std::optional<std::string> bare_host(std::string_view text);

// A name in another script in the form used to compare URLs: münchen.de is xn--mnchen-3ya.de. nullopt for a name with
// letters that programs convert differently.
[[nodiscard]] std::optional<std::string> idna_host(std::string_view name);

struct FoundHosts {
    std::vector<std::string> hosts;     // of the URLs that aren't odd
    std::vector<std::string> possible;  // possible readings of an odd URL: only for refusing, not for allowing
    bool odd = false;                   // at least one URL is odd
};

// For a text that should be one URL. Also finds URLs inside it: "https://archive.example/https://evil.example/".
[[nodiscard]] FoundHosts hosts_of_url(std::string_view url);
// For a text that should be one host or one URL.
[[nodiscard]] FoundHosts hosts_of_host(std::string_view text);
// For text that contains URLs. Punctuation after a URL isn't part of it.
[[nodiscard]] FoundHosts hosts_in_text(std::string_view text);

}  // namespace countersign::security
