// SPDX-License-Identifier: Apache-2.0
// Identifies the client of a connection, for its limits.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::gateway {

// Normalises an address: an IPv4 address mapped into IPv6 becomes the IPv4 address, without a zone.
[[nodiscard]] boost::asio::ip::address unmapped(const boost::asio::ip::address& address);

// The unit for per-client limits: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one
// household or host.
class ClientAddress {
public:
    explicit ClientAddress(const boost::asio::ip::address& address);
    [[nodiscard]] const std::string& address() const { return address_; }  // the full address, for the log

    // Compares the unit, not the full address.
    friend bool operator==(const ClientAddress& left, const ClientAddress& right) { return left.key_ == right.key_; }
    friend std::strong_ordering operator<=>(const ClientAddress& left, const ClientAddress& right) {
        return left.key_ <=> right.key_;
    }

private:
    std::string address_;
    std::string key_;
};

// The header in which the proxies report the client's address. The other header is ignored: a proxy may pass it on as
// the client wrote it.
enum class ProxyHeader { x_forwarded_for, forwarded };

// The proxies that the operator configured, and the header they write.
struct Proxies {
    std::vector<boost::asio::ip::address> addresses;
    ProxyHeader header = ProxyHeader::x_forwarded_for;
    [[nodiscard]] bool contain(const boost::asio::ip::address& address) const;
};

// The client behind a proxy: the last address in the proxy's header that is not a configured proxy. Each proxy appends
// the address it sees, so everything to the left of that one is the client's own claim. If the list contains something
// that is not an address, returns the nearest known hop. A peer that is not a configured proxy is the client itself.
[[nodiscard]] boost::asio::ip::address client_behind(const boost::asio::ip::address& peer, std::string_view header,
                                                     const Proxies& proxies);

}  // namespace countersign::gateway
