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
class Client {
public:
    explicit Client(const boost::asio::ip::address& address);
    [[nodiscard]] const std::string& address() const { return address_; }  // in full, for the log

    // By what is counted, not by the full address.
    friend bool operator==(const Client& left, const Client& right) { return left.key_ == right.key_; }
    friend std::strong_ordering operator<=>(const Client& left, const Client& right) {
        return left.key_ <=> right.key_;
    }

private:
    std::string address_;
    std::string key_;
};

// The client behind a proxy: the last address in X-Forwarded-For, which the proxy itself wrote, if the peer is one of
// the proxies that the operator named. Whatever anybody else writes there is ignored.
[[nodiscard]] Client client_behind(const boost::asio::ip::address& peer, std::string_view forwarded_for,
                                   const std::vector<boost::asio::ip::address>& proxies);

}  // namespace countersign::gateway
