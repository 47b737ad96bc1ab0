// SPDX-License-Identifier: Apache-2.0
#include "gateway/client.hpp"

#include <algorithm>

namespace countersign::gateway {

namespace ip = boost::asio::ip;

ip::address unmapped(const ip::address& address) {
    if (!address.is_v6()) return address;
    const auto six = address.to_v6();
    if (six.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, six);
    return ip::address_v6{six.to_bytes()};
}

Client::Client(const ip::address& address) : address_{unmapped(address).to_string()} {
    const auto one = unmapped(address);
    if (one.is_v4()) {
        const auto bytes = one.to_v4().to_bytes();
        key_.assign(bytes.begin(), bytes.end());
    } else {
        const auto bytes = one.to_v6().to_bytes();
        key_.assign(bytes.begin(), bytes.begin() + 8);
    }
}

Client client_behind(const ip::address& peer, std::string_view forwarded_for, const std::vector<ip::address>& proxies) {
    const auto is_peer = [one = unmapped(peer)](const ip::address& proxy) { return unmapped(proxy) == one; };
    if (std::ranges::none_of(proxies, is_peer)) return Client{peer};
    const auto comma = forwarded_for.rfind(',');
    auto last = comma == forwarded_for.npos ? forwarded_for : forwarded_for.substr(comma + 1);
    while (last.starts_with(' ')) last.remove_prefix(1);
    boost::system::error_code error;
    const auto address = ip::make_address(last, error);
    return Client{error ? peer : address};
}

}  // namespace countersign::gateway
