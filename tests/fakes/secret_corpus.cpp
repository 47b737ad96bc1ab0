// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/secret_corpus.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace countersign::fakes {
namespace {

using security::TextKind;

constexpr std::string_view lower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view digits = "0123456789";

std::string alphabet(char letter) {
    const std::string letters = std::string{lower} + std::string{upper};
    switch (letter) {
    case 'a':
        return std::string{lower} + std::string{digits};
    case 'U':
        return std::string{upper} + std::string{digits};
    case 'h':
        return "0123456789abcdef";
    case 'H':
        return "0123456789ABCDEF";
    case 'd':
        return std::string{digits};
    case 'b':
        return letters + std::string{digits} + "-_";
    case 'B':
        return letters + std::string{digits} + "+/";
    case 'w':
        return std::string{lower};
    case 'W':
        return letters;
    case '2':
        return std::string{upper} + "234567";
    case 'p':
        return letters + std::string{digits} + "!#%&*+,-.:;<=>?@^_|~()";
    case 's':
        return letters + std::string{digits} + "!%*+,-.:=?@^_~";
    default:
        return letters + std::string{digits};
    }
}

// A value ends with a letter or digit, because a final full stop or comma would be read as part of the sentence.
std::string drawn(char letter, std::size_t length, Dice& dice) {
    if (letter == 'u') return filled("{h8}-{h4}-4{h3}-a{h3}-{h12}", dice);
    const auto from = alphabet(letter);
    const auto ends = alphabet(letter == 'p' || letter == 's' || letter == 'b' || letter == 'B' ? 'A' : letter);
    std::string text;
    while (text.size() < length) {
        const auto& set = text.empty() || text.size() + 1 == length ? ends : from;
        text += set[dice.below(set.size())];
    }
    return text;
}

std::string with(std::string_view pattern, std::string_view name, std::string_view secret) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const auto rest = pattern.substr(at);
        if (rest.starts_with("§")) {
            text += secret;
            at += std::string_view{"§"}.size();
        } else if (rest.starts_with("NAME")) {
            text += name;
            at += 4;
        } else {
            text += pattern[at++];
        }
    }
    return text;
}

// NAME is the variable, § the secret.
struct Context {
    std::string_view name;
    std::string_view pattern;
    bool named = true;  // the words around the secret say that it is one
    TextKind kind = TextKind::any;
};

// clang-format off
constexpr auto contexts = std::to_array<Context>({
    {"shell command", "export NAME=§"},
    {"shell command", "NAME='§' ./deploy.sh --env prod"},
    {"shell command", "docker run --rm -e NAME=§ -p 8080:80 app:latest"},
    {"shell command", "curl -fsS -H \"Authorization: Bearer §\" https://api.example.com/v1/me"},
    {"shell command", "tool login --token § --region eu"},
    {"shell command", "tool push --api-key=§ image"},
    {"env file", "# production\nAPP_ENV=prod\nNAME=§\nPORT=8080\n", true, TextKind::settings},
    {"env file", "APP_ENV=prod\nexport NAME=\"§\"\nPORT=8080\n", true, TextKind::settings},
    {"JSON", "{\"app\": \"web\", \"NAME\": \"§\", \"port\": 8080}"},
    {"YAML", "app:\n  name: web\n  NAME: §\n  replicas: 2\n", true, TextKind::yaml},
    {"YAML", "env:\n  - name: NAME\n    value: \"§\"\n  - name: PORT\n    value: \"8080\"\n", true, TextKind::yaml},
    {"TOML", "[app]\nname = \"web\"\nNAME = \"§\"\nport = 8080\n", true, TextKind::settings},
    {"header", "POST /v1/items HTTP/1.1\r\nHost: api.example.com\r\nX-Api-Key: §\r\nAccept: */*\r\n"},
    {"header", "Authorization: Bearer §"},
    {"netrc", "machine api.example.com\n  login bob\n  password §\n"},
    {"netrc", "machine api.example.com login bob password §"},
    {"code", "NAME = \"§\"\nclient = Client(NAME)\n"},
    {"code", "const config = { NAME: '§', retries: 3 };"},
    {"code", "os.Setenv(\"NAME\", \"§\")"},
    {"code", "define('NAME', '§');"},
    {"code", "private static final String NAME = \"§\";"},
    {"code", "client := api.New(\"§\")", false},
    {"log line", "2026-03-04T05:06:07Z INFO auth ok NAME=§ user=bob"},
    {"log line", "2026-03-04T05:06:07Z DEBUG sending § to api.example.com", false},
    {"prose", "Use § for the staging deploy, please.", false},
    {"prose", "The API token is § and it expires tomorrow."},
    {"XML", "<appSettings>\n  <add key=\"NAME\" value=\"§\" />\n</appSettings>"},
    {"XML", "<settings><NAME>§</NAME></settings>"},
    {"diff", "@@ -1,2 +1,2 @@\n PORT=8080\n-NAME=old\n+NAME=§\n"},
    {"diff", "@@ -3,1 +3,1 @@\n+    \"NAME\": \"§\",\n"},
    {"Dockerfile", "FROM alpine:3.20\nENV NAME §\nRUN make\n"},
    {"Dockerfile", "FROM alpine:3.20\nARG NAME=§\nRUN make\n"},
    {"PowerShell", "$env:NAME = '§'; ./deploy.ps1"},
    {"PowerShell", "[Environment]::SetEnvironmentVariable('NAME', '§', 'User')"},
    {"here-document", "cat > .env <<'EOF'\nPORT=8080\nNAME=§\nEOF\n"},
    {"Markdown", "- **API token**: §\n"},
    {"code", "let NAME: &str = \"§\";"},
    {"code", "process.env.NAME = \"§\";"},
    {"shell command", "echo '§' | gh secret set NAME"},
    {"shell command", "npm config set //registry.npmjs.org/:_authToken §"},
    {"shell command", "kubectl create secret generic app --from-literal=NAME=§"},
    {"shell command", "echo \"NAME=§\" >> .env"},
    {"echo", "echo §", false},
    {"echo", "echo '§' > /tmp/x", false},
});

// A password has no recognisable form: only the words around it identify it.
constexpr auto password_contexts = std::to_array<Context>({
    {"shell command", "export DB_PASSWORD='§'"},
    {"shell command", "mysql -u root -p'§' app"},
    {"shell command", "PGPASSWORD=\"§\" psql -h db -U app"},
    {"env file", "DB_HOST=db\nDB_PASSWORD=§\nDB_PORT=5432\n", true, TextKind::settings},
    {"JSON", "{\"user\": \"app\", \"password\": \"§\", \"port\": 5432}"},
    {"YAML", "db:\n  user: app\n  password: '§'\n", true, TextKind::yaml},
    {"TOML", "[db]\npassword = '§'\n", true, TextKind::settings},
    {"code", "conn = connect(host='db', password='§')"},
    {"SQL", "ALTER USER app WITH PASSWORD '§';"},
    {"SQL", "CREATE USER 'app'@'%' IDENTIFIED BY '§';"},
    {"code", "smtp.login(\"bob\", \"§\")"},
});

// The same without quotes in the text: the password has no character that would end it.
constexpr auto plain_password_contexts = std::to_array<Context>({
    {"shell command", "tool --password § --host db"},
    {"shell command", "DB_PASSWORD=§ npm start"},
    {"connection", "Server=db;Database=app;User Id=sa;Password=§;Encrypt=true"},
    {"connection", "jdbc:mysql://db/app?user=root&password=§"},
    {"shell command", "sshpass -p § ssh bob@db.example.com"},
    {"PowerShell", "net use Z: \\\\db\\share /user:bob /password:§"},
    {"Markdown", "| host | db |\n\n**Password:** §\n"},
    {"YAML", "db:\n  pw: §\n", true, TextKind::yaml},
    {"prose", "Credentials: bob / §"},
    {"URL", "psql postgres://app:§@db.example.com:5432/app"},
    {"netrc", "machine db.example.com\nlogin app\npassword §\n"},
    {"pgpass", "db.example.com:5432:app:bob:§\n"},
    {"pgpass", "# host:port:db:user:password\n*:5432:*:admin:§\n"},
    {"prose", "the admin password is §"},
    {"prose", "Login with user bob, password: §"},
    {"prose", "I set the database password to § for now."},
    {"log line", "2026-03-04T05:06:07Z WARN login failed user=bob password=§ ip=10.0.0.7"},
});

constexpr auto url_contexts = std::to_array<Context>({
    {"URL", "git clone https://oauth2:§@git.example.com/team/app.git"},
    {"URL", "https://api.example.com/v1/items?access_token=§&page=2"},
});
// clang-format on

bool fits_url(std::string_view token) { return token.find_first_of("/+:=.@") == std::string_view::npos; }

// No colon in .pgpass, no @ or slash in the password of a URL.
std::string plain_password(Dice& dice) {
    auto text = filled("{s14}", dice);
    std::ranges::replace_if(text, [](char byte) { return byte == ':' || byte == '@' || byte == '%'; }, 'k');
    text[3] = '7';
    text[4] = 'q';
    return text;
}

// Nothing of it may remain except its start, which is a vendor's prefix or a host. The check looks for a few characters
// in a row; fewer would match a fingerprint by chance.
bool is_hidden(std::string_view secret, std::string_view shown) {
    const std::size_t in_a_row = secret.size() < 20 ? 5 : 8;
    for (auto at = secret.size() / 2; at + in_a_row <= secret.size(); ++at) {
        if (shown.find(secret.substr(at, in_a_row)) != std::string_view::npos) return false;
    }
    return true;
}

}  // namespace

std::string filled(std::string_view format, Dice& dice) {
    std::string text;
    for (std::size_t at = 0; at < format.size();) {
        const auto close = format[at] == '{' ? format.substr(0, at + 6).find('}', at) : std::string_view::npos;
        if (close == std::string_view::npos) {
            text += format[at++];
            continue;
        }
        std::size_t length = 0;
        std::from_chars(format.data() + at + 2, format.data() + close, length);
        text += drawn(format[at + 1], length, dice);
        at = close + 1;
    }
    return text;
}

std::vector<Sample> secret_samples(std::uint64_t seed) {
    Dice dice{seed};
    std::vector<Sample> samples;
    const auto add = [&](const Context& context, std::string_view what, std::string_view name,
                         std::string_view secret) {
        samples.push_back({std::string{context.name}, std::string{what}, with(context.pattern, name, secret),
                           std::string{secret}, context.kind});
    };
    for (const auto& one : token_formats()) {
        for (const auto& context : contexts) {
            if (!one.bare && !context.named) continue;
            add(context, one.format, one.name, filled(one.format, dice));
        }
        for (const auto& context : url_contexts) {
            if (const auto token = filled(one.format, dice); fits_url(token)) add(context, one.format, one.name, token);
        }
    }
    for (std::size_t round = 0; round < 24; ++round) {
        for (const auto& context : password_contexts) add(context, "password", "", filled("{p14}", dice));
        for (const auto& context : plain_password_contexts) add(context, "password", "", plain_password(dice));
    }
    return samples;
}

Count measure_nameless(const security::Redactor& redactor, std::uint64_t seed) {
    Dice dice{seed};
    Count count;
    for (const auto& one : token_formats()) {
        for (const auto& context : contexts) {
            if (one.bare || context.named) continue;
            const auto secret = filled(one.format, dice);
            const auto text = with(context.pattern, one.name, secret);
            ++count.samples;
            count.right += is_hidden(secret, redactor.redact(text, context.kind).text) ? 1 : 0;
        }
    }
    return count;
}

std::vector<Measured> measure(const security::Redactor& redactor, std::uint64_t seed, std::vector<Sample>* wrong) {
    std::vector<Measured> all;
    Measured sum{.context = "all", .secrets = {}, .innocents = {}};
    const auto count = [&](const Sample& sample) {
        const auto shown = redactor.redact(sample.text, sample.kind).text;
        const bool right = sample.secret.empty() ? shown == sample.text : is_hidden(sample.secret, shown);
        if (!right && wrong != nullptr) wrong->push_back(sample);
        auto found = std::ranges::find(all, sample.context, &Measured::context);
        if (found == all.end())
            found = all.insert(all.end(), {.context = sample.context, .secrets = {}, .innocents = {}});
        for (auto* entry : {&*found, &sum}) {
            auto& counted = sample.secret.empty() ? entry->innocents : entry->secrets;
            ++counted.samples;
            counted.right += right ? 1 : 0;
        }
    };
    std::ranges::for_each(secret_samples(seed), count);
    std::ranges::for_each(innocent_samples(seed), count);
    all.push_back(sum);
    return all;
}

}  // namespace countersign::fakes
