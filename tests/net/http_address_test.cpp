// SPDX-License-Identifier: Apache-2.0
#include "net/http_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace countersign::net {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HttpAddress, HttpsIsAllowedToAnyHost) {
    const auto address = read_address("https://api.chat.test:8443/bot1/send?a=b");
    ASSERT_TRUE(address);
    EXPECT_EQ(address->host, "api.chat.test");
    EXPECT_FALSE(address->plain);
}

TEST(HttpAddress, HttpIsAllowedToLoopbackOnly) {
    for (const auto* url : {"http://127.0.0.1/", "http://127.255.255.254:1/", "http://[::1]/", "http://localhost/",
                            "http://2130706433/", "http://0x7f.1/", "HTTP://127.0.0.1/"}) {
        const auto address = read_address(url);
        ASSERT_TRUE(address) << url;
        EXPECT_TRUE(address->plain);
    }
    for (const auto* url :
         {"http://128.0.0.1/", "http://126.255.255.255/", "http://0.0.0.0/", "http://[::]/", "http://[::2]/",
          "http://[::ffff:127.0.0.1]/", "http://10.0.0.1/", "http://localhost.test/", "http://localhost./",
          "http://127.0.0.1.test/", "http://169.254.169.254/", "http://chat.test/", "http://a.localhost/"}) {
        const auto address = read_address(url);
        ASSERT_FALSE(address) << url;
        EXPECT_EQ(address.error().code, Errc::unsupported) << url;
    }
}

TEST(HttpAddress, AnInvalidUrlIsMalformedAndNotRepeated) {
    for (const std::string url :
         {"", "SECRET", "chat.test/SECRET", "https://", "https:///SECRET", "https://chat.test:99999/SECRET",
          "https://chat.test/SECRET\r\nX: y", "https://chat .test/SECRET", "https://[::1/SECRET",
          "https://SECRET@chat.test/", "https://SECRET:SECRET@chat.test/", "http://127.0.0.1:SECRET/"}) {
        const auto address = read_address(url);
        ASSERT_FALSE(address) << url;
        EXPECT_EQ(address.error().code, Errc::malformed) << url;
        EXPECT_THAT(address.error().detail, Not(HasSubstr("SECRET")));
    }
    EXPECT_EQ(read_address(std::string{"https://chat.test/\0SECRET", 25}).error().code, Errc::malformed);
}

TEST(HttpAddress, ASocketAddressIsRecognisedAsLoopback) {
    const auto four = [](const char* text) {
        sockaddr_in address{.sin_family = AF_INET};
        ::inet_pton(AF_INET, text, &address.sin_addr);
        return is_loopback(reinterpret_cast<const sockaddr&>(address));
    };
    const auto six = [](const char* text) {
        sockaddr_in6 address{.sin6_family = AF_INET6};
        ::inet_pton(AF_INET6, text, &address.sin6_addr);
        return is_loopback(reinterpret_cast<const sockaddr&>(address));
    };
    EXPECT_TRUE(four("127.0.0.1"));
    EXPECT_TRUE(four("127.255.0.1"));
    EXPECT_FALSE(four("128.0.0.1"));
    EXPECT_FALSE(four("0.0.0.0"));
    EXPECT_TRUE(six("::1"));
    EXPECT_FALSE(six("::"));
    EXPECT_FALSE(six("::ffff:127.0.0.1"));
    sockaddr unix_socket{.sa_family = AF_UNIX};
    EXPECT_FALSE(is_loopback(unix_socket));
}

}  // namespace
}  // namespace countersign::net
