// SPDX-License-Identifier: Apache-2.0
// Text that an approver must be able to read stays visible: the target of a command, and which public key it adds.
#include "tests/security/redactor_fixture.hpp"

namespace countersign::security {
namespace {

TEST(RedactorVisible, I9_TheTargetOfACommandStaysVisibleAfterAFlagThatTakesNoValue) {
    for (const std::string_view text :
         {"psql --password production_db", "sudo psql --password production_db", "PGUSER=x psql --password prod_2026",
          "dropdb --no-password customers_2026", "tool -no-pass target_2026", "mysql --password production_2026",
          "/usr/bin/pg_dump --password prod_2026 > dump", "ansible-playbook --ask-vault-pass site.yml",
          "ansible all --ask-become-pass -m ping web_2026", "wget --ask-password https://example.com/a1b2c3d4"}) {
        EXPECT_EQ(redactor().text(text), text);
    }
    expect_hidden("psql --password=hunter2 db", "hunter2");
    expect_hidden("tool --password hunter2 psql", "hunter2");
    expect_hidden("echo psql; tool --password hunter2", "hunter2");
    const json::Value list{json::Array{"psql", "--password", "production_db"}};
    EXPECT_EQ(redactor().value(list), list);
}

TEST(RedactorVisible, I9_AnApproverSeesWhichPublicKeyIsAdded) {
    const auto key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43, alnum, 4) + " bob@laptop";
    for (const auto& text :
         {"echo '" + key + "' >> ~/.ssh/authorized_keys", "ssh_key: " + key, "ssh_key: \"" + key + "\"",
          "DEPLOY_KEY='" + key + "'", R"({"ssh_key": ")" + key + R"("})", "restrict,pty " + key}) {
        EXPECT_EQ(redactor().text(text), text);
    }
    const json::Value member{json::Object{{"ssh_key", key}}};
    EXPECT_EQ(redactor().value(member), member);
    // A run that only starts like a public key is masked: the start of OpenSSH's private format, and any other run.
    expect_hidden("ssh_key: 'ssh-" + body(43) + "'", body(43));
    expect_hidden("echo b3BlbnNzaC1rZXktdjEAAAA" + body(70), body(70));
}

TEST(RedactorVisible, I6_ASecretAfterPublicTextIsStillMasked) {
    const auto image = "iVBORw0KGgoAAAANSUhEUgAA" + body(70, alnum, 3);
    const auto secret = body(44, alnum, 6);
    EXPECT_EQ(redactor().text(image), image);
    expect_hidden(image + "\nnext: " + secret, secret);
    expect_hidden("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43, alnum, 4) + "\n" + secret, secret);
    expect_hidden("-----BEGIN CERTIFICATE-----\n" + body(64) + "\n-----END CERTIFICATE-----\n" + secret, secret);
    const auto both = "-----BEGIN CERTIFICATE-----\n" + body(64, alnum, 8) +
                      "\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n" + body(64, alnum, 9) +
                      "\n-----END PRIVATE KEY-----\n";
    EXPECT_TRUE(contains(redactor().text(both), body(64, alnum, 8)));
    expect_hidden(both, body(64, alnum, 9));
}

}  // namespace
}  // namespace countersign::security
