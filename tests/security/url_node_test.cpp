// SPDX-License-Identifier: Apache-2.0
// The host that a rule is checked against must be the one that a program connects to. Node has the WHATWG URL parser,
// so Node is the oracle, with generated URLs that range from ordinary to hostile.
#include "core/json/write.hpp"
#include "core/utf8.hpp"
#include "security/punycode.hpp"
#include "security/url.hpp"
#include "tests/fakes/node_oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

namespace countersign::security {
namespace {

// "https: example.com" for a URL that Node accepts, "-" for one that it rejects.
constexpr const char* parse_urls = R"js(
const lines = require('fs').readFileSync(process.argv[1], 'utf8').split('\n').slice(0, -1);
process.stdout.write(lines.map((line) => {
    try {
        const url = new URL(JSON.parse(line));
        return url.protocol + ' ' + url.hostname + '\n';
    } catch {
        return '-\n';
    }
}).join(''));
)js";

class RandomUrl {
public:
    explicit RandomUrl(std::uint64_t seed) : random_{seed} {}

    std::string ordinary() {
        return one_of({"http", "https", "HTTPS", "Http"}) + "://" + one_of({name(), name(), plain_ipv4(), ipv6()}) +
               one_of({"", "", ":8080", ":443"}) +
               one_of({"", "/", "/a/b.html", "/?q=1", "?q=a:b@c", "#top", "/(x);y='z'"});
    }

    // Each part is usual or unusual at random, so that many URLs have a single defect.
    std::string odd() {
        auto url = part({"http", "https", "hTTps"}, {"ws", "ftp", "file", "javascript", "httpss", ""}) +
                   part({"://"}, {":/", ":", ":///", "//", ":\\\\", ":/\\", ":\t//"}) +
                   part({""}, {"u@", "u:p@", "@", "a.example.com@", "a.example.com\\@", "://"}) + host() +
                   part({"", ":80", ":65535"}, {":", ":65536", ":0080", ":000080", ":8o", "."}) +
                   part({"", "/", "/x", "?x", "#x"}, {"\\x", "/://a.example.com", "/%2e%2e/"});
        for (auto changes = below(3); changes > 0; --changes) change(url);
        return url;
    }

private:
    std::size_t below(std::size_t bound) { return random_() % bound; }
    std::string one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }

    std::string part(const std::vector<std::string>& usual, const std::vector<std::string>& unusual) {
        return one_of(below(5) == 0 ? unusual : usual);
    }

    std::string label() {
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABC0123456789-_";
        std::string text;
        for (auto left = 1 + below(8); left > 0; --left) text += letters[below(letters.size())];
        return text;
    }
    std::string name() {
        std::string text;
        for (auto left = below(3); left > 0; --left) text += label() + ".";
        return text + label() + "." + one_of({"com", "example.org", "test", "io"});
    }
    std::string plain_ipv4() {
        std::string text = std::to_string(below(256));
        for (int left = 3; left > 0; --left) text += "." + std::to_string(below(256));
        return text;
    }
    std::string number(std::size_t bound) {
        std::array<char, 64> text{};
        const auto* const format = std::array{"%zu", "0%zo", "0x%zx", "0X%zX", "00%zo", "%zu"}[below(6)];
        std::snprintf(text.data(), text.size(), format, below(bound));
        return text.data();
    }
    std::string ipv4() {
        std::string text;
        for (auto left = below(5); left > 0; --left) text += number(300) + ".";
        return text + number(below(2) == 0 ? 300 : std::size_t{1} << (8 * (1 + below(4)))) + one_of({"", "", "."});
    }
    std::string ipv6() {
        std::string text = "[";
        const auto gap = below(9);
        for (std::size_t at = 0; at < 8; ++at) {
            if (at == gap) {
                text += at == 0 ? "::" : ":";
                at += below(8 - at);
                if (at + 1 == 8) break;
                continue;
            }
            std::array<char, 8> piece{};
            std::snprintf(piece.data(), piece.size(), std::array{"%zx", "%zX", "%04zx"}[below(3)],
                          below(2) == 0 ? 0 : below(65536));
            text += piece.data();
            if (at < 7) text += ":";
        }
        return text + "]";
    }
    std::string coded() {
        static const std::vector<char32_t> letters{U'ü', U'é',      U'а',  U'р',      U'ѝ',  U'λ', U'ς',
                                                   U'ώ', U'中',     U'あ', U'ー',     U'한', U'ß', U'ı',
                                                   U'ﬁ', U'\u0301', U'א',  U'\u200d', U'A',  U'x', U'1'};
        std::u32string text;
        for (auto left = 1 + below(4); left > 0; --left) {
            // Mostly from ranges that IDNA leaves unchanged.
            text += below(4) == 0
                        ? letters[below(letters.size())]
                        : static_cast<char32_t>(std::array{0xe0, 0x3ac, 0x430, 0x3041, 0x4e00, 0xac00}[below(6)] +
                                                static_cast<int>(below(32)));
        }
        if (below(3) == 0) {
            std::string raw;
            for (const auto c : text) utf8::append(raw, c);
            return raw + ".test";
        }
        return "xn--" + punycode_encoded(text).value_or("a") + ".test";
    }
    std::string host() {
        switch (below(6)) {
        case 0:
            return ipv4();
        case 1:
            return ipv6();
        case 2:
            return coded();
        case 3:
            return label();
        default:
            return name();
        }
    }
    void change(std::string& url) {
        static const std::vector<std::string> pieces{
            ",", ";", ")", "}", "'",    "\"",   "`",   "\\", "/",  "?",  "#",  "@",      ":",      "[",    "]",
            "%", "|", "^", "<", ">",    " ",    "\t",  "\n", "\r", ".",  "..", "-",      "%2e",    "%00",  "%41",
            "_", "~", "*", "!", "\x7f", "\x01", "0x1", "é",  "。", "．", "ａ", "\u00ad", "\u200b", "xn--", "xn--a-"};
        // A change in the middle of a character would make the text invalid UTF-8.
        auto at = below(url.size() + 1);
        while (at < url.size() && (static_cast<unsigned char>(url[at]) & 0xc0U) == 0x80U) ++at;
        url.insert(at, pieces[below(pieces.size())]);
    }

    std::mt19937_64 random_;
};

class UrlNode : public testing_tools::NodeOracle {
protected:
    Lines read_by_node(const Lines& urls) {
        Lines questions;
        for (const auto& url : urls) questions.push_back(json::canonical(json::Value{url}));
        return answers(parse_urls, questions);
    }
};

std::string agreed(std::string_view scheme, const std::string& host) { return std::string{scheme} + " " + host; }

bool same_host(const std::string& by_node, const std::string& host) {
    for (const auto* scheme : {"http:", "https:"}) {
        if (by_node == agreed(scheme, host) || by_node == agreed(scheme, host + ".")) return true;
    }
    return false;
}

TEST_F(UrlNode, AHostThatWeReportIsTheOneThatNodeConnectsTo) {
    RandomUrl random{20261118};
    Lines urls;
    for (int left = 20000; left > 0; --left) urls.push_back(random.odd());
    const auto expected = read_by_node(urls);
    ASSERT_EQ(expected.size(), urls.size());
    std::size_t reported = 0;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        const auto host = url_host(urls[at]);
        if (!host) continue;
        ++reported;
        EXPECT_TRUE(same_host(expected[at], *host)) << urls[at] << ": Node " << expected[at] << ", we " << *host;
    }
    EXPECT_GT(reported, urls.size() / 20) << "the generator makes too few URLs that are read";
}

TEST_F(UrlNode, AnOrdinaryUrlHasTheHostThatNodeReads) {
    RandomUrl random{20261119};
    Lines urls;
    for (int left = 5000; left > 0; --left) urls.push_back(random.ordinary());
    const auto expected = read_by_node(urls);
    ASSERT_EQ(expected.size(), urls.size());
    for (std::size_t at = 0; at < urls.size(); ++at) {
        const auto host = url_host(urls[at]);
        if (expected[at] == "-") continue;  // the generator built an invalid IPv6 address
        ASSERT_TRUE(host) << urls[at];
        EXPECT_TRUE(same_host(expected[at], *host)) << urls[at] << ": Node " << expected[at] << ", we " << *host;
    }
}

// For every URL with a host, that host is among those that a deny is checked against.
TEST_F(UrlNode, TheHostOfAnUnusualUrlIsAmongThePossibleOnes) {
    RandomUrl random{20261120};
    Lines urls;
    for (int left = 20000; left > 0; --left) urls.push_back(random.odd());
    const auto expected = read_by_node(urls);
    ASSERT_EQ(expected.size(), urls.size());
    std::size_t known = 0;
    std::size_t missed = 0;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        if (!expected[at].starts_with("http:") && !expected[at].starts_with("https:")) continue;
        // Other letters need a full IDNA mapping. A deny asks about them anyway, because they are unusual.
        if (utf8::ascii_length(urls[at]) != urls[at].size()) continue;
        auto host = expected[at].substr(expected[at].find(' ') + 1);
        while (host.ends_with('.')) host.pop_back();
        if (host.empty()) continue;
        const auto found = hosts_of_url(urls[at]);
        const auto has = [&host](const Lines& list) { return std::ranges::find(list, host) != list.end(); };
        ++(has(found.hosts) || has(found.possible) ? known : missed);
    }
    EXPECT_GT(known, 200 * missed) << known << " known, " << missed << " missed";
}

}  // namespace
}  // namespace countersign::security
