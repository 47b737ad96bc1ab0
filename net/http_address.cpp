// SPDX-License-Identifier: Apache-2.0
#include "net/http_address.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace countersign::net {
namespace {

std::string part(CURLU* url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, 0) != CURLUE_OK) return {};
    std::string result{text};
    curl_free(text);
    return result;
}

Error unreadable() { return {Errc::malformed, "the address of a call cannot be read: write https://host/path"}; }

bool is_loopback(const in_addr& address) { return (ntohl(address.s_addr) >> 24) == 127; }

}  // namespace

bool names_loopback(std::string_view host) {
    const std::string name{host};
    in_addr four{};
    return name == "localhost" || name == "[::1]" ||
           (::inet_pton(AF_INET, name.c_str(), &four) == 1 && is_loopback(four));
}

bool is_loopback(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in four{};
        std::memcpy(&four, &address, sizeof four);
        return is_loopback(four.sin_addr);
    }
    if (address.sa_family != AF_INET6) return false;
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    return std::memcmp(&six.sin6_addr, &in6addr_loopback, sizeof in6addr_loopback) == 0;
}

Result<HttpAddress> read_address(const std::string& url) {
    HttpAddress address{.url = CurlUrl{curl_url()}};
    if (!address.url) return Error{Errc::unavailable, "no memory for an outgoing call"};
    if (url.find('\0') != std::string::npos) return unreadable();
    const auto read = curl_url_set(address.url.get(), CURLUPART_URL, url.c_str(), CURLU_DISALLOW_USER);
    if (read == CURLUE_USER_NOT_ALLOWED) {
        return Error{Errc::malformed, "the address of a call holds a user name or password: send them in a header"};
    }
    if (read == CURLUE_UNSUPPORTED_SCHEME) return Error{Errc::unsupported, "a call to an address that is not https"};
    if (read != CURLUE_OK) return unreadable();
    const auto scheme = part(address.url.get(), CURLUPART_SCHEME);
    address.host = part(address.url.get(), CURLUPART_HOST);
    address.plain = scheme == "http";
    if (scheme != "https" && scheme != "http") {
        return Error{Errc::unsupported, "a call to an address that is not https"};
    }
    // libcurl accepts one slash or three, and may take the start of a path for the host.
    const auto slashes = url.find("://");
    if (slashes == std::string::npos || url.compare(slashes, 4, ":///") == 0) return unreadable();
    if (address.plain && !names_loopback(address.host)) {
        return Error{Errc::unsupported, "http to " + address.host + ", which is not this machine: use https"};
    }
    return address;
}

}  // namespace countersign::net
