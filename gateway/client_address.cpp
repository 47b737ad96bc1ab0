// SPDX-License-Identifier: Apache-2.0
#include "gateway/client_address.hpp"

#include <algorithm>
#include <optional>

namespace countersign::gateway {

namespace ip = boost::asio::ip;

ip::address unmapped(const ip::address& address) {
    if (!address.is_v6()) return address;
    const auto six = address.to_v6();
    if (six.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, six);
    return ip::address_v6{six.to_bytes()};
}

ClientAddress::ClientAddress(const ip::address& address) : address_{unmapped(address).to_string()} {
    const auto one = unmapped(address);
    if (one.is_v4()) {
        const auto bytes = one.to_v4().to_bytes();
        key_.assign(bytes.begin(), bytes.end());
    } else {
        const auto bytes = one.to_v6().to_bytes();
        key_.assign(bytes.begin(), bytes.begin() + 8);
    }
}

bool Proxies::contain(const ip::address& address) const {
    return std::ranges::any_of(addresses,
                               [one = unmapped(address)](const ip::address& proxy) { return unmapped(proxy) == one; });
}

namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Removes the last part of the text, up to a separator outside quotes, and returns it. Reads from the end, where the
// proxy wrote: a client's unclosed quote must not hide what the proxy added.
std::string_view take_last(std::string_view& text, char separator) {
    bool quoted = false;
    auto at = text.size();
    while (at > 0 && (quoted || text[at - 1] != separator)) {
        if (text[--at] == '"') quoted = !quoted;
    }
    const auto last = text.substr(at);
    text = text.substr(0, at == 0 ? 0 : at - 1);
    return trimmed(last);
}

bool is_port(std::string_view text) {
    const auto is_digit = [](char symbol) { return symbol >= '0' && symbol <= '9'; };
    return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, is_digit);
}

// An address as proxies write it: 192.0.2.1, 192.0.2.1:8080, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:8080.
std::optional<ip::address> read_address(std::string_view text) {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == text.npos) return std::nullopt;
        const auto rest = text.substr(end + 1);
        if (!rest.empty() && !(rest.starts_with(':') && is_port(rest.substr(1)))) return std::nullopt;
        text = text.substr(1, end - 1);
        if (text.find(':') == text.npos) return std::nullopt;
    } else if (const auto colon = text.find(':'); colon != text.npos && colon == text.rfind(':')) {
        if (!is_port(text.substr(colon + 1))) return std::nullopt;
        text = text.substr(0, colon);
    }
    if (text.find('%') != text.npos) return std::nullopt;  // a zone from another machine is meaningless here
    boost::system::error_code failed;
    const auto address = ip::make_address(text, failed);
    if (failed) return std::nullopt;
    return address;
}

// The `for` of one element of a Forwarded header (RFC 7239). Empty if there is none, or more than one.
std::string_view forwarded_for(std::string_view element) {
    constexpr std::string_view name = "for=";
    std::string_view found;
    while (!element.empty()) {
        auto pair = take_last(element, ';');
        const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); };
        if (!std::ranges::equal(name, pair.substr(0, name.size()), same)) continue;
        if (!found.empty()) return {};
        found = pair.substr(name.size());
    }
    if (found.size() >= 2 && found.starts_with('"') && found.ends_with('"')) found = found.substr(1, found.size() - 2);
    return found;
}

}  // namespace

ip::address client_behind(const ip::address& peer, std::string_view header, const Proxies& proxies) {
    auto client = peer;
    while (proxies.contain(client) && !header.empty()) {
        const auto last = take_last(header, ',');
        const auto hop = read_address(proxies.header == ProxyHeader::forwarded ? forwarded_for(last) : last);
        if (!hop) break;
        client = *hop;
    }
    return client;
}

}  // namespace countersign::gateway
