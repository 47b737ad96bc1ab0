// SPDX-License-Identifier: Apache-2.0
#include "tests/app/config_sample.hpp"

namespace countersign::app {
namespace {

const std::string rest = people + channels + routes;

std::string problem(const std::string& section) {
    const auto found = problems_of("[gateway]\n" + section + rest);
    if (found.size() != 1) return all_of(found);
    return found[0].key + ": " + found[0].what;
}

TEST(ConfigGateway, AddressesAreReadWithTheirPort) {
    const auto configuration =
        configuration_of("[gateway]\nlisten = \"0.0.0.0:8443\"\nadmin = \"[::1]:9090\"\n"
                         "certificate_file = \"/c\"\nkey_file = \"/k\"\nproxies = [\"10.0.0.5\"]\n" +
                         rest);
    EXPECT_EQ(configuration.gateway.listen->host, "0.0.0.0");
    EXPECT_EQ(configuration.gateway.listen->port, 8443);
    EXPECT_EQ(configuration.gateway.admin->host, "::1");
    EXPECT_EQ(configuration.gateway.proxies, std::vector<std::string>{"10.0.0.5"});
    EXPECT_FALSE(configuration_of(rest).gateway.listen);
}

TEST(ConfigGateway, WhatIsNoAddressIsRefusedByItsKey) {
    for (const auto* text :
         {"8443", "localhost:80", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "[::1:80", "127.0.0.1:80x"}) {
        EXPECT_EQ(problem("listen = \"" + std::string{text} + "\"\n"), "gateway.listen: this is no address and port")
            << text;
    }
}

TEST(ConfigGateway, ACertificateNeedsItsKey) {
    EXPECT_EQ(problem("certificate_file = \"/c\"\n"), "gateway.key_file: one of the two is not enough");
    EXPECT_EQ(problem("key_file = \"/c\"\n"), "gateway.certificate_file: one of the two is not enough");
    EXPECT_EQ(problem("certificate_file = \"c\"\nkey_file = \"/k\"\n"),
              "gateway.certificate_file: this is not an absolute path");
    EXPECT_NE(problem("lisen = \"127.0.0.1:1\"\n").find("gateway.lisen: unknown key"), std::string::npos);
}

}  // namespace
}  // namespace countersign::app
