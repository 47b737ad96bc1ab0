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

TEST(ConfigGateway, AnInvalidAddressIsRefusedByItsKey) {
    for (const auto* text : {"8443", "localhost:80", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "[::1:80",
                             "127.0.0.1:80x", "999.1.1.1:80", "1.2.3:80", "::1::2:80"}) {
        EXPECT_EQ(problem("listen = \"" + std::string{text} + "\"\n"), "gateway.listen: this is no address and port")
            << text;
    }
}

TEST(ConfigGateway, TheHealthPagesAreOnlyForThisMachine) {
    for (const auto* text : {"0.0.0.0:9090", "192.0.2.1:9090", "[::]:9090"}) {
        EXPECT_EQ(problem("admin = \"" + std::string{text} + "\"\n"),
                  "gateway.admin: the health pages are served on this machine only");
    }
    EXPECT_EQ(problem("admin = \"127.0.0.2:0\"\n"), "");
}

TEST(ConfigGateway, AProxyIsAnIpAddress) {
    EXPECT_EQ(problem("proxies = [\"10.0.0.5\", \"nonsense\"]\n"), "gateway.proxies[1]: this is no IP address");
}

TEST(ConfigGateway, OnlyOneHeaderOfAProxyIsTrusted) {
    const auto forwarded = [](const std::string& section) {
        return configuration_of("[gateway]\nproxies = [\"10.0.0.5\"]\n" + section + rest)
            .gateway.proxies_write_forwarded;
    };
    EXPECT_FALSE(forwarded(""));
    EXPECT_FALSE(forwarded("proxy_header = \"x-forwarded-for\"\n"));
    EXPECT_TRUE(forwarded("proxy_header = \"forwarded\"\n"));
    EXPECT_EQ(problem("proxies = [\"10.0.0.5\"]\nproxy_header = \"x-real-ip\"\n"),
              "gateway.proxy_header: no such word here");
    EXPECT_EQ(problem("proxy_header = \"forwarded\"\n"),
              "gateway.proxy_header: no proxy is named, so no header is believed");
}

TEST(ConfigGateway, I2_AWebhookNeedsItsSecretAndAListener) {
    const std::string bot = "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"/t\"\nmode = \"webhook\"\n";
    const auto said = [&](const std::string& more, const std::string& gateway) {
        return all_of(problems_of(people + channels + bot + more + routes + gateway));
    };
    const auto* secret = "webhook_secret_file = \"/s\"\n";
    const auto* listen = "[gateway]\nlisten = \"127.0.0.1:8080\"\n";
    EXPECT_EQ(said(secret, listen), "");
    EXPECT_NE(said("", listen).find("channels.bot.mode: a webhook needs its secret; write webhook_secret_file"),
              std::string::npos);
    EXPECT_NE(said(secret, "").find("channels.bot.mode: nothing listens for the webhook; write listen"),
              std::string::npos);
    EXPECT_NE(said(secret, "[gateway]\nadmin = \"127.0.0.1:1\"\n").find("nothing listens"), std::string::npos);
}

TEST(ConfigGateway, ASecretMayBeACredentialButNotAValueThatCouldBeTheSecret) {
    const auto said = [&](const std::string& file) {
        return all_of(problems_of(people + channels + "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"" + file +
                                  "\"\n" + routes));
    };
    EXPECT_EQ(said("countersign-telegram-token"), "");
    for (const auto* text : {"123456:abcdefghijk", "0123456789abcdef0123456789abcdef", "xoxb-1234567890-abc",
                             "../token", "Very-Secret", "a1b2c3d4e5f6", "./token"}) {
        EXPECT_NE(said(text).find("not an absolute path"), std::string::npos) << text;
    }
}

TEST(ConfigGateway, ACertificateNeedsItsKey) {
    EXPECT_EQ(problem("certificate_file = \"/c\"\n"), "gateway.key_file: one of the two is not enough");
    EXPECT_EQ(problem("key_file = \"/c\"\n"), "gateway.certificate_file: one of the two is not enough");
    EXPECT_EQ(problem("certificate_file = \"c\"\nkey_file = \"/k\"\n"),
              "gateway.certificate_file: this is not an absolute path");
    EXPECT_NE(problem("lisen = \"127.0.0.1:1\"\n").find("gateway.lisen: unknown key"), std::string::npos);
}

TEST(ConfigGateway, APreviousSecretNeedsAnEnd) {
    const std::string bot = "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"/t\"\n";
    const auto said = [&](const std::string& more) {
        return all_of(problems_of(people + channels + bot + more + routes));
    };
    const std::string present = "webhook_secret_file = \"/s\"\n";
    const std::string previous = "previous_webhook_secret_file = \"/p\"\n";
    const std::string until = "previous_until = \"2026-12-01T12:00:00Z\"\n";
    EXPECT_EQ(said(present + previous + until), "");
    EXPECT_NE(said(present + previous).find("a previous secret needs its end"), std::string::npos);
    EXPECT_NE(said(present + until).find("there is no previous secret that could end"), std::string::npos);
    EXPECT_NE(said(previous + until).find("there is no present secret"), std::string::npos);
    for (const auto* wrong : {"soon", "2026-12-01", "2026-12-01T12:00:00", "2026-12-01T12:00:00.000Z",
                              "2026-13-01T12:00:00Z", "2026-12-01T24:00:00Z", "2026-12-01T12:00:00+00:00"}) {
        EXPECT_NE(said(present + previous + "previous_until = \"" + wrong + "\"\n").find("this is no moment in UTC"),
                  std::string::npos)
            << wrong;
    }
}

}  // namespace
}  // namespace countersign::app
