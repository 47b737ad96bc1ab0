// SPDX-License-Identifier: Apache-2.0
#include "security/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::security {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

TEST(Url, AnOrdinaryUrlHasItsHost) {
    for (const auto& [url, host] : std::vector<std::pair<std::string, std::string>>{
             {"https://example.com", "example.com"},
             {"HTTPS://Example.COM/", "example.com"},
             {"http://a.example.com:8080/x?y=z#f", "a.example.com"},
             {"https://example.com?q=a:b@c", "example.com"},
             {"https://example.com#://evil.io", "example.com"},
             {"https://example.com./x", "example.com"},
             {"https://a_b.example.com/~u/(x),y;z='1'", "a_b.example.com"},
             {"https://192.0.2.7/x", "192.0.2.7"},
             {"http://[2001:DB8::1]:443/", "[2001:db8::1]"},
             {"http://[0:0:0:0:0:ffff:169.254.169.254]/", "[::ffff:a9fe:a9fe]"},
             {"https://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"},
             {"https://example.com/münchen", "example.com"}}) {
        EXPECT_EQ(url_host(url), host) << url;
    }
}

TEST(Url, AnUnusualUrlHasNoHost) {
    for (const std::string url : {"https:/evil.io/://a.example.com",
                                  "https:evil.io/://a.example.com",
                                  "https:///evil.io",
                                  "https://",
                                  "https://?a.example.com",
                                  "https://a.example.com\t.evil.io",
                                  "https://a.example.com\n.evil.io",
                                  "https://a.example.com\r.evil.io",
                                  "https://a.example.com\\.evil.io",
                                  "https://a.example.com\\@evil.io",
                                  "https://a.example.com,.evil.io",
                                  "https://a.example.com;.evil.io",
                                  "https://a.example.com).evil.io",
                                  "https://a.example.com}.evil.io",
                                  "https://a.example.com'.evil.io",
                                  "https://a.example.com\".evil.io",
                                  "https://a.example.com`.evil.io",
                                  "https://a.example.com%2eevil.io",
                                  "https://a.example.com%00.evil.io",
                                  "https://a.example.com@evil.io",
                                  "https://u:p@a.example.com",
                                  "https://a.example.com:99999",
                                  "https://a.example.com:8o",
                                  "https://a.example.com:80:80",
                                  "file://a.example.com/etc/passwd",
                                  "ftp://a.example.com",
                                  "javascript://a.example.com",
                                  "//a.example.com",
                                  "a.example.com",
                                  " https://a.test",
                                  "https://a.test ",
                                  "https://a..test",
                                  "https://.a.test",
                                  "https://a.test..",
                                  "https://[::1",
                                  "https://[::1]x",
                                  "https://[::1%25eth0]/",
                                  "https://[fe80::1%eth0]/",
                                  "https://münchen.de/",
                                  "https://ａ.test/",
                                  "https://xn--a.test/",
                                  "https://xn--/",
                                  "https://0x7f.0.0.1",
                                  "https://0177.0.0.1",
                                  "https://127.1",
                                  "https://2130706433",
                                  "https://1.2.3.4.5",
                                  "https://1.2.3.256",
                                  "https://a.0x",
                                  "https://a b.test",
                                  "https://a.test/x y",
                                  "https://a.test/x\\y",
                                  ""}) {
        EXPECT_EQ(url_host(url), std::nullopt) << url;
    }
    EXPECT_EQ(url_host(std::string{"https://a.test\0/", 16}), std::nullopt);
}

TEST(Url, ABareHostIsReadAsInAUrl) {
    EXPECT_EQ(bare_host("Example.com"), "example.com");
    EXPECT_EQ(bare_host("example.com:8080"), "example.com");
    for (const auto* text : {"example.com/x", "u@example.com", "exa mple.com", "", ":80", "example.com\\x"}) {
        EXPECT_EQ(bare_host(text), std::nullopt) << text;
    }
    EXPECT_THAT(hosts_of_host("https://example.com/").hosts, ElementsAre("example.com"));
    EXPECT_TRUE(hosts_of_host("//example.com/").odd);
}

TEST(Url, ThePossibleHostsOfAnUnusualUrlAreKnown) {
    for (const auto& [url, host] : std::vector<std::pair<std::string, std::string>>{
             {"https:/evil.io/://a.example.com", "evil.io"},
             {"https:evil.io/://a.example.com", "evil.io"},
             {"https:evil.io/://a.example.com", "a.example.com"},
             {"https://a.example.com\n.evil.io/", "a.example.com.evil.io"},
             {"https://a.example.com;x/", "a.example.com"},
             {"https://good.test@evil.io/", "evil.io"},
             {"https://good.test\\@evil.io/", "good.test"},
             {"https://evil%2Eio/", "evil.io"},
             {"http:/169.254.169.254/latest/://x.example.org/", "169.254.169.254"},
             {"http://0xa9fea9fe/", "169.254.169.254"},
             {"http://2852039166/", "169.254.169.254"},
             {"http://0251.0376.0251.0376/", "169.254.169.254"},
             {"http://169.16689662/", "169.254.169.254"},
             {"http://u@[::FFFF:a9fe:a9fe]/", "[::ffff:a9fe:a9fe]"},
             {"evil.io/x", "evil.io"},
             {"https://münchen.de/", "xn--mnchen-3ya.de"},
             {"file://evil.io/etc/passwd", "evil.io"}}) {
        const auto found = hosts_of_url(url);
        EXPECT_TRUE(found.odd) << url;
        EXPECT_THAT(found.possible, Contains(host)) << url;
    }
}

TEST(Url, UrlsAreFoundInSentences) {
    EXPECT_EQ(hosts_in_text("read http://a.test/x, (https://b.test) and \"https://c.test\".").hosts,
              (Texts{"a.test", "b.test", "c.test"}));
    EXPECT_FALSE(hosts_in_text("read http://a.test/x, (https://b.test) and https://c.test.").odd);
    EXPECT_FALSE(hosts_in_text("what does http: mean in src/url.cpp:12?").odd);
    EXPECT_EQ(hosts_of_url("https://archive.test/https://evil.io/x").hosts, (Texts{"archive.test", "evil.io"}));
    for (const auto* text : {"see https:/evil.io/://a.example.com", "git clone ssh://git@a.test/x", "a://b", "http:a",
                             "https://a.test'.evil.io/x", "https://a.test,https://b.test"}) {
        EXPECT_TRUE(hosts_in_text(text).odd) << text;
    }
    EXPECT_THAT(hosts_in_text("no address at all").hosts, IsEmpty());
}

TEST(Url, I13_AnAuthorityOfOneByteTooManyIsUnusual) {
    std::string name;
    while (name.size() + 5 <= 253) name += "abcd.";
    name += std::string(253 - name.size(), 'x');
    EXPECT_EQ(url_host("https://" + name), name);
    EXPECT_EQ(url_host("https://" + name + "x"), std::nullopt);
    EXPECT_EQ(url_host("https://" + std::string(63, 'a') + ".test"), std::string(63, 'a') + ".test");
    EXPECT_EQ(url_host("https://" + std::string(64, 'a') + ".test"), std::nullopt);
    EXPECT_EQ(url_host("https://" + std::string(url_authority_bytes_max + 1, 'a')), std::nullopt);
}

TEST(Url, I13_ATextWithOneUrlTooManyIsUnusual) {
    std::string text;
    for (std::size_t at = 0; at < urls_max; ++at) text += "https://h" + std::to_string(at) + ".test/ ";
    EXPECT_FALSE(hosts_in_text(text).odd);
    EXPECT_EQ(hosts_in_text(text).hosts.size(), urls_max);
    EXPECT_TRUE(hosts_in_text(text + "https://h0.test/").odd);
    std::string hostile;
    while (hostile.size() < 1'000'000) hostile += "http:";
    EXPECT_LE(hosts_in_text(hostile).possible.size(), urls_max);
}

}  // namespace
}  // namespace countersign::security
