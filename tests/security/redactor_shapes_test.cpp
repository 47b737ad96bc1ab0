// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include "security/encoding.hpp"

#include <vector>

namespace countersign::security {
namespace {

struct Token {
    std::string maker;
    std::string text;
};

std::vector<Token> tokens() {
    const std::string uuid = body(8, hex_digits) + "-" + body(4, hex_digits) + "-4" + body(3, hex_digits) + "-a" +
                             body(3, hex_digits) + "-" + body(12, hex_digits);
    std::vector<Token> list{
        {"GitHub personal", "ghp_" + body(36)},
        {"GitHub OAuth", "gho_" + body(36)},
        {"GitHub user", "ghu_" + body(36)},
        {"GitHub server", "ghs_" + body(36)},
        {"GitHub refresh", "ghr_" + body(36)},
        {"GitHub fine-grained", "github_pat_" + body(22) + "_" + body(59)},
        {"GitLab", "glpat-" + body(20)},
        {"GitLab runner", "glrt-" + body(20)},
        {"GitLab deploy", "gldt-" + body(20)},
        {"npm", "npm_" + body(36)},
        {"PyPI", "pypi-" + body(80)},
        {"RubyGems", "rubygems_" + body(48, hex_digits)},
        {"Docker", "dckr_pat_" + body(27)},
        {"Postman", "PMAK-" + body(24, hex_digits) + "-" + body(34, hex_digits)},
        {"AWS key id", "AKIA" + body(16, upper_alnum)},
        {"AWS temporary key id", "ASIA" + body(16, upper_alnum)},
        {"Google API", "AIza" + body(35)},
        {"Google OAuth", "ya29." + body(60)},
        {"Google client secret", "GOCSPX-" + body(28)},
        {"DigitalOcean", "dop_v1_" + body(64, hex_digits)},
        {"Azure AD", body(3) + "8Q~" + body(34)},
        {"Alibaba", "LTAI" + body(20)},
        {"Heroku", "HRKU-" + body(58)},
        {"Fly", "fm2_" + body(80)},
        {"Netlify", "nfp_" + body(36)},
        {"Pulumi", "pul-" + body(40, hex_digits)},
        {"Vault service", "hvs." + body(90)},
        {"Vault batch", "hvb." + body(90)},
        {"Terraform", body(14) + ".atlasv1." + body(67)},
        {"Doppler personal", "dp.pt." + body(43)},
        {"Doppler service", "dp.st.prd." + body(43)},
        {"Databricks", "dapi" + body(32, hex_digits)},
        {"Tailscale", "tskey-auth-" + body(12) + "-" + body(30)},
        {"OpenShift", "sha256~" + body(43)},
        {"Supabase", "sbp_" + body(40, hex_digits)},
        {"PlanetScale", "pscale_tkn_" + body(43)},
        {"Slack bot", "xoxb-" + body(12, "0123456789") + "-" + body(12, "0123456789") + "-" + body(24)},
        {"Slack user", "xoxp-" + body(12, "0123456789") + "-" + body(24)},
        {"Slack app", "xapp-1-A" + body(10, upper_alnum) + "-" + body(13, "0123456789") + "-" + body(64, hex_digits)},
        {"Slack webhook",
         "https://hooks.slack.com/services/T" + body(8, upper_alnum) + "/B" + body(10, upper_alnum) + "/" + body(24)},
        {"Telegram bot", "1234567890:AA" + body(33)},
        {"Telegram URL", "https://api.telegram.org/bot123456789:" + body(35) + "/getMe"},
        {"Discord bot", "M" + body(25) + "." + body(6) + "." + body(38)},
        {"Discord webhook", "https://discord.com/api/webhooks/123456789012345678/" + body(68)},
        {"Twilio key", "SK" + body(32, hex_digits)},
        {"SendGrid", "SG." + body(22) + "." + body(43)},
        {"Mailgun", "key-" + body(32, hex_digits)},
        {"Mailchimp", body(32, hex_digits) + "-us12"},
        {"Brevo", "xkeysib-" + body(64, hex_digits) + "-" + body(16)},
        {"Stripe secret", "sk_live_" + body(24)},
        {"Stripe restricted", "rk_live_" + body(24)},
        {"Stripe publishable", "pk_live_" + body(24)},
        {"Stripe test", "sk_test_" + body(24)},
        {"Stripe webhook", "whsec_" + body(32)},
        {"Shopify", "shpat_" + body(32, hex_digits)},
        {"Shopify shared", "shpss_" + body(32, hex_digits)},
        {"Square access", "sq0atp-" + body(22)},
        {"Square secret", "sq0csp-" + body(43)},
        {"Razorpay", "rzp_live_" + body(14)},
        {"Plaid", "access-sandbox-" + uuid},
        {"Anthropic", "sk-ant-api03-" + body(93) + "AA"},
        {"OpenAI", "sk-" + body(48)},
        {"OpenAI project", "sk-proj-" + body(74) + "T3BlbkFJ" + body(74)},
        {"Hugging Face", "hf_" + body(34)},
        {"Replicate", "r8_" + body(37)},
        {"Groq", "gsk_" + body(52)},
        {"xAI", "xai-" + body(80)},
        {"Perplexity", "pplx-" + body(48)},
        {"NVIDIA", "nvapi-" + body(64)},
        {"Pinecone", "pcsk_" + body(60)},
        {"New Relic", "NRAK-" + body(27, upper_alnum)},
        {"Grafana service", "glsa_" + body(32) + "_" + body(8, hex_digits)},
        {"Grafana cloud", "glc_" + body(60)},
        {"Sentry", "sntrys_" + body(60)},
        {"Dynatrace", "dt0c01." + body(24, upper_alnum) + "." + body(64, upper_alnum)},
        {"Linear", "lin_api_" + body(40)},
        {"Notion", "ntn_" + body(46)},
        {"Notion old", "secret_" + body(43)},
        {"Airtable", "pat" + body(14) + "." + body(64, hex_digits)},
        {"Figma", "figd_" + body(40)},
        {"HubSpot", "pat-na1-" + uuid},
        {"Contentful", "CFPAT-" + body(43)},
        {"Mapbox", "sk.eyJ" + body(60) + "." + body(22)},
        {"LaunchDarkly", "sdk-" + uuid},
        {"age", "AGE-SECRET-KEY-1" + body(58, upper_alnum)},
        {"JWT", "eyJhbGciOiJIUzI1NiJ9." + base64url(R"({"sub":"bob","iat":1516239022})") + "." + body(43)},
        {"bcrypt", "$2b$12$" + body(53)},
        {"SHA-512 crypt", "$6$" + body(12) + "$" + body(86)},
        {"random base64", body(44) + "="},
        {"random hexadecimal", body(48, hex_digits)},
    };
    return list;
}

TEST(Redactor, I6_ATokenOfAKnownVendorIsMaskedInEveryContext) {
    for (const auto& token : tokens()) {
        SCOPED_TRACE(token.maker);
        const auto secret = token.text.substr(token.text.size() / 3);
        expect_hidden("deploy with " + token.text + " now", secret);
        expect_hidden("'" + token.text + "'", secret);
        expect_hidden("x\n" + token.text + "\ny", secret);
        expect_hidden(R"({"note":")" + token.text + R"("})", secret);
    }
}

TEST(Redactor, I6_AnInvisibleCharacterInATokenDoesNotPreventMasking) {
    for (const auto& token : tokens()) {
        for (const std::string_view spliced :
             {"\u200B", "\u00AD", "\u2060", "\uFEFF", "\u00A0", "\U000E0041", "\x1B[0m", "\\\n"}) {
            SCOPED_TRACE(token.maker);
            auto text = token.text;
            text.insert(text.size() / 2, spliced);
            const auto redacted = redactor().text("run " + text + " now");
            EXPECT_FALSE(contains(redacted, token.text.substr(token.text.size() * 3 / 4))) << redacted;
            EXPECT_TRUE(redacted.starts_with("run ")) << redacted;
            EXPECT_TRUE(redacted.ends_with(" now")) << redacted;
        }
    }
}

TEST(Redactor, I6_ATokenInOneLayerOfBase64OrPercentEncodingIsMasked) {
    for (const auto& token : tokens()) {
        SCOPED_TRACE(token.maker);
        const auto encoded = base64("note=" + token.text + "; end");
        EXPECT_FALSE(contains(redactor().text("echo " + encoded + " | base64 -d"), encoded));
        std::string percent;
        for (const char byte : token.text) percent += "%" + hex(std::string_view{&byte, 1});
        EXPECT_FALSE(contains(redactor().text("https://example.com/?q=" + percent), percent));
    }
}

TEST(Redactor, I6_AShortEncodedTextThatContainsASecretIsMasked) {
    const auto plain = base64("password=hunter2");
    EXPECT_TRUE(contains(redactor().text("echo " + plain + " | base64 -d"), "echo «redacted:encoded:"));
    EXPECT_TRUE(contains(redactor().text("data: " + base64url("token=a1b2c3")), "«redacted:encoded:"));
    std::string wide;  // as powershell -EncodedCommand expects it
    for (const char byte : std::string_view{"--password hunter2"}) wide += {byte, '\0'};
    EXPECT_FALSE(contains(redactor().text("powershell -enc " + base64(wide)), base64(wide)));
    const auto harmless = "echo " + base64("just some words") + " | base64 -d";
    EXPECT_EQ(redactor().text(harmless), harmless);
}

TEST(Redactor, I6_EveryShapeHasValidKeywords) {
    // A keyword that doesn't occur in any matching text would disable its rule silently.
    for (const auto& shapes : {token_shapes(), context_shapes()}) {
        for (const auto& shape : shapes) {
            EXPECT_FALSE(shape.keywords.empty()) << shape.rule;
            EXPECT_FALSE(contains("," + std::string{shape.keywords} + ",", ",,")) << shape.rule;
            for (const char byte : shape.keywords) EXPECT_FALSE(byte >= 'A' && byte <= 'Z') << shape.rule;
        }
    }
}

struct Example {
    std::string text;
    std::string secret;
};

TEST(Redactor, I6_ATokenThatNeedsItsContextIsMaskedInIt) {
    const auto mixed40 = "aB3" + body(37, alnum, 11);
    const auto hex32 = body(32, hex_digits, 5);
    const auto hex64 = body(64, hex_digits, 6);
    const std::vector<Example> examples{
        {"aws_secret_access_key = " + mixed40, mixed40},
        {"[default]\naws_access_key_id=x\naws_secret_access_key=" + mixed40, mixed40},
        {"AWS: id and " + mixed40 + " for the bucket", mixed40},
        {"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + mixed40 + body(46) + "==;EndpointSuffix=y",
         mixed40},
        {"Endpoint=sb://x/;SharedAccessKeyName=root;SharedAccessKey=" + body(43) + "=", body(43)},
        {"https://x.blob.core.windows.net/c?sv=2022&sig=" + body(43) + "%3D", body(43)},
        {"HEROKU_API_KEY 01234567-89ab-4cde-8f01-23456789abcd", "89ab-4cde"},
        {"twilio: " + hex32, hex32},
        {"datadog api " + hex32, hex32},
        {"DD_API_KEY=" + hex32, hex32},
        {"cloudflare token " + body(40, alnum, 21), body(40, alnum, 21)},
        {"algolia admin " + hex32, hex32},
        {"linode " + hex64, hex64},
        {"kubeadm join --token ab12cd.0123456789abcdef", "0123456789abcdef"},
        {"PrivateKey = " + body(43, alnum, 3) + "=", body(43, alnum, 3)},
        {R"({"auths":{"https://index.docker.io/v1/":{"auth":")" + base64("bob:hunter2") + R"("}}})",
         base64("bob:hunter2")},
        {"the password for bob is 'hunter2'", "hunter2"},
        {"vendor secret " + body(24, lower_alnum, 9), body(24, lower_alnum, 9)},
    };
    for (const auto& example : examples) expect_hidden(example.text, example.secret);
}

TEST(Redactor, I6_APrivateKeyIsMaskedBetweenItsLinesAndAlsoIfItsEndIsCutOff) {
    for (const std::string_view kind : {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY",
                                        "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
        for (const std::string_view line_break : {"\n", "\r\n", "\\n", " "}) {
            std::string text = "-----BEGIN " + std::string{kind} + "-----";
            for (std::uint64_t line = 0; line < 4; ++line) text += std::string{line_break} + body(64, alnum, line + 40);
            expect_hidden("cat key\n" + text, body(64, alnum, 42));
            text += std::string{line_break} + "-----END " + std::string{kind} + "-----";
            expect_hidden(text, body(64, alnum, 41));
            const auto redacted = redactor().text("x " + text + "; rm -rf build");
            EXPECT_TRUE(contains(redacted, "-----BEGIN " + std::string{kind})) << redacted;
            EXPECT_TRUE(redacted.ends_with("-----; rm -rf build")) << redacted;
        }
    }
    const auto putty =
        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n" + body(64) + "\n" + body(20) + "\nPrivate-MAC: 12\n";
    expect_hidden(putty, body(64));
}

TEST(Redactor, APublicKeyOrCertificateStaysLegible) {
    const std::string text =
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMFkw\n";
    EXPECT_EQ(redactor().text(text), text);
}

TEST(RedactorShapes, I6_APasswordThatAProgramTakesByItsPlaceIsMasked) {
    for (const std::string_view text : {
             "ssh-keygen -t ed25519 -N hunter2 -f x",
             "ssh-keygen -p -P hunter2 -N '' -f x",
             "ssh-keygen -Nhunter2 -f x",
             "openssl passwd -6 hunter2",
             "openssl passwd -1 -salt abc 'hunter2'",
             "mkpasswd -m sha-512 hunter2",
             "mysqlcheck -phunter2 db",
             "mysqlsh -u x -phunter2",
             "mongoexport -u x -p hunter2 -d db",
             "7zz a -phunter2 a.7z f",
             "zip -rP hunter2 a.zip f",
             "ldappasswd -s hunter2 x",
             "ldapmodrdn -w hunter2 x",
             "echo hunter2 | kinit bob",
             "kinit bob <<< hunter2",
             "echo -n hunter2 | sudo cryptsetup luksFormat /dev/x -",
             "useradd -p hunter2 bob",
             "kadmin -w hunter2 -q x",
             "isql -U bob -P hunter2",
             "ncftpget -u bob -p hunter2 h . f",
             "qpdf --encrypt hunter2 x 256 -- a b",
             "qpdf --encrypt x hunter2 256 -- a b",
             "pdftk a output b user_pw hunter2",
             "pdftotext -upw hunter2 a",
             "psexec.py dom/bob:hunter2@h",
             "evil-winrm -i h -u bob -p hunter2",
             "bw unlock hunter2",
             "bw login bob@x.io hunter2",
             "signtool sign /f a.pfx /p hunter2 x.exe",
             "etcdctl --user root:hunter2 get x",
             "mosquitto_passwd -b f bob hunter2",
             "security unlock-keychain -p hunter2 k",
             "security import k.p12 -P hunter2",
             "samba-tool user create bob hunter2",
             "caddy hash-password --plaintext hunter2",
             "composer config http-basic.x.io bob hunter2",
             "bundle config x.io bob:hunter2",
             "net use x: \\\\h\\s hunter2 /user:bob",
             "smbclient //h/s hunter2 -U bob",
             "rclone obscure hunter2",
             "rclone config create x sftp pass hunter2",
             "ansible-vault encrypt_string hunter2 --name x",
             "dscl . -passwd /Users/bob hunter2",
         }) {
        expect_hidden(text, "hunter2");
    }
    const json::Value list{json::Array{"ssh-keygen", "-N", "hunter2", "-f", "x"}};
    EXPECT_FALSE(contains(*redactor().value(list).array()->at(2).string(), "hunter2"));
}

TEST(RedactorShapes, I9_TextNextToAProgramsPasswordStaysVisible) {
    for (const std::string_view text :
         {"ssh-keygen -t ed25519 -f /srv/key", "ssh-keygen -N '' -f x", "openssl passwd -6 -stdin", "mkpasswd -s",
          "openssl passwd -6 < f", "useradd -m bob", "security import k.p12", "bundle config set path vendor",
          "smbclient //h/s -U bob", "echo x | kinit-helper; kinit bob", "zip -r a.zip f", "qpdf --decrypt a b"}) {
        EXPECT_EQ(redactor().text(text), text);
    }
}

}  // namespace
}  // namespace countersign::security
