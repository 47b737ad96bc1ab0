// SPDX-License-Identifier: Apache-2.0
// The innocent half of the corpus: text that an approver must be able to read, although it looks as random as a secret.
#include "tests/fakes/secret_corpus.hpp"

#include <array>

namespace countersign::fakes {
namespace {

using security::TextKind;

struct Innocent {
    std::string_view what;
    std::string_view name;  // of a variable that contains one
    std::string_view format;
};

// clang-format off
constexpr auto values = std::to_array<Innocent>({
    {"commit", "GIT_COMMIT", "{h40}"},
    {"short commit", "GIT_SHA", "{h12}"},
    {"SHA-256", "CHECKSUM", "{h64}"},
    {"MD5", "ETAG", "{h32}"},
    {"UUID", "REQUEST_ID", "{u}"},
    {"SRI", "INTEGRITY", "sha512-{B86}=="},
    {"SRI", "INTEGRITY", "sha256-{B43}="},
    {"digest", "IMAGE", "ghcr.io/acme/app@sha256:{h64}"},
    {"ULID", "TRACE_ID", "01{U24}"},
    {"build id", "BUILD_ID", "20260304.{d3}-{h8}"},
    {"colour", "ACCENT", "#{h6}"},
    {"version", "VERSION", "v1.{d2}.{d1}-rc.{d1}+{h7}"},
    {"path", "CONFIG_DIR", "/srv/app/releases/20260304050607/shared/config/environments/production"},
    {"URL", "HOMEPAGE", "https://docs.example.com/guides/getting-started/configuration-reference.html"},
    {"container", "CONTAINER", "{h12}"},
    {"pod", "POD", "web-{h9}-{a5}"},
    {"date", "STARTED", "2026-03-04T05:06:07.{d6}Z"},
    {"number", "ACCOUNT", "{d12}"},
    {"resource", "ROLE", "arn:aws:iam::{d12}:role/deploy-production"},
    {"e-mail", "OWNER", "release-managers@example.com"},
    {"class", "BEAN", "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration"},
    {"asset", "BUNDLE", "/assets/index-{b8}.js"},
    {"fingerprint", "HOST_KEY", "SHA256:{B43}"},
    {"module", "SUM", "h1:{B43}="},
    {"test name", "TEST", "test_user_can_reset_password_with_valid_token_123"},
    {"constant", "MODE", "REQUIRE_TOKEN_AUTHENTICATION_V2"},
});

// A name that says "secret" with a value that isn't one.
constexpr auto placeholders = std::to_array<std::string_view>(
    {"your-token-here", "your_api_key_here", "YOUR_TOKEN", "<TOKEN>", "<your-api-key>", "changeme", "change-me", "xxxx",
     "XXXXXXXXXXXX", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "$TOKEN", "${TOKEN}", "${{ secrets.DEPLOY_TOKEN }}",
     "{{ api_token }}", "%API_TOKEN%", "REPLACE_ME", "replace-with-your-key", "example", "placeholder", "********",
     "...", "null", "insert-token-here", "TODO", "dummy", "sk-xxxxxxxxxxxxxxxxxxxxxxxx", "ghp_xxxxxxxxxxxxxxxxxxxx"});

struct Place {
    std::string_view context;
    std::string_view pattern;
    TextKind kind = TextKind::any;
};
constexpr auto places = std::to_array<Place>({
    {"shell command", "NAME=§ ./deploy.sh --env prod"},
    {"shell command", "tool inspect § --format json"},
    {"env file", "APP_ENV=prod\nNAME=§\nPORT=8080\n", TextKind::settings},
    {"JSON", "{\"app\": \"web\", \"NAME\": \"§\", \"port\": 8080}"},
    {"YAML", "app:\n  NAME: §\n  replicas: 2\n", TextKind::yaml},
    {"TOML", "[app]\nNAME = \"§\"\nport = 8080\n", TextKind::settings},
    {"header", "X-Request-Context: §"},
    {"code", "const config = { NAME: '§', retries: 3 };"},
    {"code", "assert fetch() == \"§\""},
    {"log line", "2026-03-04T05:06:07Z INFO deployed § in 12.4s"},
    {"prose", "The release was built from § yesterday."},
    {"echo", "echo §"},
});
constexpr auto placeholder_places = std::to_array<Place>({
    {"shell command", "export API_TOKEN=\"§\""},
    {"env file", "API_TOKEN=§\n", TextKind::settings},
    {"JSON", "{\"api_token\": \"§\"}"},
    {"YAML", "api_token: \"§\"\n", TextKind::yaml},
    {"TOML", "api_token = \"§\"\n", TextKind::settings},
    {"code", "api_token = '§'"},
});

// § is filled with the given format.
struct Text {
    std::string_view context;
    std::string_view what;
    std::string_view format;
};
constexpr auto texts = std::to_array<Text>({
    {"shell command", "ssh key", "echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} bob@laptop' >> ~/.ssh/authorized_keys"},
    {"shell command", "ssh key", "ssh-copy-id -i - host <<< 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{B340} bob@laptop'"},
    {"env file", "ssh key", "DEPLOY_PUBLIC_KEY=\"ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY{B100}= ci\"\n"},
    {"YAML", "ssh key", "ssh_authorized_keys:\n  - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} bob@laptop\n"},
    {"YAML", "ssh key", "keys:\n  - sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t{B60} bob\n"},
    {"log line", "ssh key", "host.example.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{B340}"},
    {"code", "certificate", "-----BEGIN CERTIFICATE-----\nMIID{B60}\n{B64}\n{B64}\n{B30}==\n-----END CERTIFICATE-----\n"},
    {"code", "public key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOC{B36}\n{B64}\n-----END PUBLIC KEY-----\n"},
    {"code", "PGP key", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINB{B59}\n{B64}\n=AbCd\n-----END PGP PUBLIC KEY BLOCK-----\n"},
    {"YAML", "certificate", "data:\n  ca.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSU{B200}==\n"},
    {"code", "image", "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{B400}==\" alt=\"logo\">"},
    {"code", "image", "background: url(data:image/gif;base64,R0lGODlhAQABA{B120}=);"},
    {"JSON", "image", "{\"type\": \"image\", \"data\": \"/9j/4AAQSkZJRgABAQ{B600}\"}"},
    {"JSON", "image", "{\"type\": \"image\", \"data\": \"iVBORw0KGgoAAAANSUhEUgAA{B600}\"}"},
    {"JSON", "image", "{\"icon\": \"data:image/webp;base64,UklGR{B300}\"}"},
    {"JSON", "lock file", "{\"resolved\": \"https://registry.npmjs.org/a/-/a-1.0.0.tgz\", \"integrity\": \"sha512-{B86}==\"}"},
    {"YAML", "lock file", "/left-pad@1.3.0:\n  resolution: {integrity: sha512-{B86}==}\n"},
    {"TOML", "lock file", "[[package]]\nname = \"serde\"\nchecksum = \"{h64}\"\n"},
    {"log line", "checksums", "{h64}  app-linux-amd64.tar.gz\n{h64}  app-darwin-arm64.tar.gz\n"},
    {"log line", "checksums", "{h128} *disk.img\n"},
    {"code", "minified", "!function(e,t){var n=e[1],r=t.aB2(n),o=r.c3D?r.e4F:n.g5H;return o.i6J(e)}(window,document);"},
    {"shell command", "prompt flag", "psql --password production_db -c 'DROP TABLE users'"},
    {"shell command", "prompt flag", "dropdb --no-password customers_2026"},
    {"shell command", "prompt flag", "pg_restore --no-password -d customers_2026 dump"},
    {"shell command", "prompt flag", "tool -no-pass target_2026 --force"},
    {"shell command", "prompt flag", "createdb --password reports_2026"},
    {"shell command", "digest", "docker pull alpine@sha256:{h64} && docker run --rm {h12}"},
    {"shell command", "commit", "git cherry-pick {h40} && git push origin HEAD:refs/heads/fix-{d4}"},
    {"shell command", "nix", "ls /nix/store/{a32}-openssl-3.0.14/lib"},
    {"prose", "words", "The password is required, and the token is stored in the vault."},
    {"prose", "words", "The admin password is not shown here; the secret is kept by the operator."},
    {"prose", "words", "Your password is case sensitive. The api key is optional for local development."},
    {"code", "words", "if (password is None): raise ValueError('password is missing')"},
    {"JSON", "lock file", "{\"integrity\": \"sha512-{B20}/bcl/{B61}==\"}"},
    {"JSON", "names", "{\"password\": \"password\", \"token\": \"token\"}"},
    {"code", "identifier", "int OSSL_CRMF_MSG_set1_regInfo_utf8Pairs(OSSL_CRMF_MSG *msg);"},
    {"code", "identifier", "xmlSecOpenSSLKeyDataX509GetKeyCert(xmlSecKeyDataPtr data);"},
    {"code", "identifier", "#define DER_OID_SZ_id_rsassa_pkcs1_v1_5_with_sha3_224 11"},
    {"code", "variable", "client = connect(host, token=token, password=db_password)"},
    {"code", "attribute", "<a accesskey=\"p\" href=\"previous.html\">Previous</a>"},
    {"log line", "grep", "src/auth/token.cpp:120:18:warning:unused-variable"},
});
// clang-format on

std::string put(std::string_view pattern, std::string_view name, std::string_view value) {
    std::string text{pattern};
    for (const auto& [mark, with] : {std::pair{std::string_view{"NAME"}, name}, {std::string_view{"§"}, value}}) {
        if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
    }
    return text;
}

}  // namespace

std::vector<Sample> innocent_samples(std::uint64_t seed) {
    Dice dice{seed};
    std::vector<Sample> samples;
    const auto add = [&](std::string_view context, std::string_view what, std::string text, TextKind kind) {
        samples.push_back({std::string{context}, std::string{what}, std::move(text), {}, kind});
    };
    for (std::size_t round = 0; round < 3; ++round) {
        for (const auto& one : values) {
            for (const auto& place : places) {
                add(place.context, one.what, put(place.pattern, one.name, filled(one.format, dice)), place.kind);
            }
        }
        for (const auto& one : texts) add(one.context, one.what, filled(one.format, dice), TextKind::any);
    }
    for (const auto value : placeholders) {
        for (const auto& place : placeholder_places) {
            add(place.context, "placeholder", put(place.pattern, {}, value), place.kind);
        }
    }
    return samples;
}

}  // namespace countersign::fakes
