// SPDX-License-Identifier: Apache-2.0
// Who is at the other end, as far as bounds are concerned.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::gateway {

// One address in one spelling: an IPv4 address that came mapped into IPv6 is the IPv4 address, without a zone.
[[nodiscard]] boost::asio::ip::address unmapped(const boost::asio::ip::address& address);

// What is counted as one client: an IPv4 address, or the /64 of an IPv6 address, which one household or host has to
// itself.
class ClientAddress {
public:
    explicit ClientAddress(const boost::asio::ip::address& address);
    [[nodiscard]] const std::string& address() const { return address_; }  // in full, for the log

    // By what is counted, not by the full address.
    friend bool operator==(const ClientAddress& left, const ClientAddress& right) { return left.key_ == right.key_; }
    friend std::strong_ordering operator<=>(const ClientAddress& left, const ClientAddress& right) {
        return left.key_ <=> right.key_;
    }

private:
    std::string address_;
    std::string key_;
};

// The header in which the proxies write the client's address. The other one is ignored: a proxy may pass it on as the
// client wrote it.
enum class ProxyHeader { x_forwarded_for, forwarded };

// Addresses of proxies that the operator named, and what they write.
struct Proxies {
    std::vector<boost::asio::ip::address> addresses;
    ProxyHeader header = ProxyHeader::x_forwarded_for;
    [[nodiscard]] bool contain(const boost::asio::ip::address& address) const;
};

// The client behind a proxy: the last address in its header that is not a named proxy's. Each proxy adds the address
// that it sees at the end, so whatever is left of that address is the client's own claim. The address of the nearest
// known hop where the list has something else than an address. A peer that is not a named proxy is the client.
[[nodiscard]] boost::asio::ip::address client_behind(const boost::asio::ip::address& peer, std::string_view header,
                                                     const Proxies& proxies);

}  // namespace countersign::gateway
