// SPDX-License-Identifier: Apache-2.0
// The commands in docs/AUDIT.md and docs/WITNESS.md are run exactly as the pages show them.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing_tools::contents;
using testing_tools::Ran;
using testing_tools::Talk;

// The fenced blocks of a section of a page, in order.
std::vector<std::string> blocks(const std::string& section, const std::string& name = "AUDIT.md") {
    const auto page = contents(COUNTERSIGN_SOURCE_DIR "/docs/" + name);
    const auto begin = page.find("\n## " + section + "\n");
    if (begin == std::string::npos) return {};
    const auto text = page.substr(begin, page.find("\n## ", begin + 1) - begin);
    std::vector<std::string> found;
    for (auto at = text.find("\n```"); at != std::string::npos; at = text.find("\n```", at + 4)) {
        const auto first = text.find('\n', at + 1) + 1;
        at = text.find("\n```", first);
        found.push_back(text.substr(first, at + 1 - first));
    }
    return found;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " is not in: " << text;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

class AuditPage : public testing::Test {
protected:
    // Runs as in a reviewer's shell, in this directory, with the program in its PATH.
    [[nodiscard]] Ran shell(const std::string& script, const std::string& directory) const {
        return testing_tools::run({.argv = {"bash", "-eo", "pipefail", "-c", on_path + script},
                                   .environment = environment,
                                   .directory = directory});
    }

    testing_tools::TemporaryDirectory files;
    std::vector<std::string> environment{"TMPDIR=" + files.path(), "XDG_STATE_HOME=" + files.path()};
    std::string on_path = "PATH=" + fs::path{testing_tools::countersign_path()}.parent_path().string() + ":$PATH\n";
};

TEST_F(AuditPage, TheCommandsForThirdPartyToolsWorkOnTheRecordedLog) {
    const auto log = files.path() + "/audit";
    fs::copy(COUNTERSIGN_SOURCE_DIR "/tests/data/logs/0.1.0/state/audit", log, fs::copy_options::recursive);
    const auto given = blocks("With tools that are not ours");
    ASSERT_THAT(given, SizeIs(5));

    const auto read = shell(given[0], log);
    EXPECT_EQ(read.exit_code, 0) << read.err;
    EXPECT_THAT(read.out, AllOf(HasSubstr("\tallowed\talice\tBash\n"), HasSubstr("{\"")));

    const auto leaf = shell(given[1], log);
    EXPECT_EQ(leaf.exit_code, 0) << leaf.err;
    const auto hashes = lines_of(leaf.out);
    ASSERT_THAT(hashes, SizeIs(2));
    EXPECT_THAT(hashes[0], AllOf(SizeIs(44), EndsWith("=")));
    EXPECT_EQ(hashes[0], hashes[1]);

    const auto root = shell(given[2], log);
    EXPECT_EQ(root.exit_code, 0) << root.err;
    EXPECT_THAT(root.out, EndsWith(" the same\n"));

    const auto texts = shell(given[3], log);
    EXPECT_EQ(texts.exit_code, 0) << texts.err;
    EXPECT_THAT(texts.out, IsEmpty());
    fs::rename(log + "/text", log + "/elsewhere");
    EXPECT_EQ(shell(given[3], log).exit_code, 0) << "most logs have none";

    const auto verified = shell(given[4], log);
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_THAT(verified.out, HasSubstr("Signature Verified Successfully"));
}

TEST_F(AuditPage, TheSameCommandsFindChanges) {
    const auto log = files.path() + "/audit";
    fs::copy(COUNTERSIGN_SOURCE_DIR "/tests/data/logs/0.1.0/state/audit", log, fs::copy_options::recursive);
    const auto given = blocks("With tools that are not ours");
    ASSERT_THAT(given, SizeIs(5));
    const auto change = [&](const std::string& file, std::size_t at) {
        auto bytes = contents(file);
        bytes.at(at) = bytes.at(at) == '1' ? '2' : '1';
        std::ofstream{file, std::ios::binary} << bytes;
    };
    change(log + "/seg-000000.log", 40);
    const auto hashes = lines_of(shell(given[1], log).out);
    ASSERT_THAT(hashes, SizeIs(2));
    EXPECT_NE(hashes[0], hashes[1]);
    EXPECT_THAT(shell(given[2], log).out, EndsWith(" ANOTHER\n"));
    change(fs::directory_iterator{log + "/text"} -> path().string(), 0);
    EXPECT_THAT(lines_of(shell(given[3], log).out), SizeIs(1));
    change(log + "/checkpoint", contents(log + "/checkpoint").find('\n') + 1);
    EXPECT_THAT(shell(given[4], log).out, Not(HasSubstr("Successfully")));
}

// A hub that uses a witness from its first record to its last, as `run` does it, with an agent that asks nothing.
class WitnessPage : public AuditPage {
protected:
    void SetUp() override {
        given = blocks("Run one", "WITNESS.md");
        ASSERT_THAT(given, SizeIs(4));
        run("");  // which starts the log, and so creates its key
        fs::copy(files.path() + "/countersign/audit/log.vkey", files.path() + "/log.vkey");
    }
    void run(const std::string& log_section) {
        const auto config = files.file("countersign.toml", "[people.me]\nterminal = " + std::to_string(::getuid()) +
                                                               "\nroles = [\"approve\"]\n[channels.desk]\n"
                                                               "kind = \"terminal\"\n[[routes]]\n"
                                                               "ask = [{ channel = \"desk\" }]\n"
                                                               "deciders = [\"me\"]\n" +
                                                               log_section);
        // The shell also has the pipe open for writing, so its end never comes and the terminal exists as long as the
        // agent.
        const auto ran = shell("[ -p in ] || mkfifo in; exec 3<>in; countersign run event --plain --config " + config +
                                   " -- true <&3",
                               files.path());
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        said = ran.out + ran.err;
    }
    // Runs the block in the background. It prints its key before it says that it listens.
    [[nodiscard]] std::unique_ptr<Talk> start(const std::string& block) {
        auto witness = std::make_unique<Talk>(
            std::vector<std::string>{"bash", "-c", on_path + "cd " + files.path() + "\nexec " + block}, environment);
        EXPECT_TRUE(witness->wait_for("listening on")) << witness->said();
        for (const auto& line : lines_of(witness->said())) {
            if (line.starts_with("witness.example/w1+")) vkey = line;
        }
        return witness;
    }
    static void end(Talk& witness) {
        EXPECT_EQ(::kill(witness.pid(), SIGTERM), 0);
        EXPECT_EQ(witness.finish(), 0) << witness.said();
    }
    // Only the port and the generated key differ.
    [[nodiscard]] std::string toml() const {
        const auto example = given[1].find("vkey = \"") + 8;
        auto text = replaced(given[1], "8090", port);
        text.replace(text.find("vkey = \"") + 8, given[1].find('"', example) - example, vkey);
        return text;
    }

    std::vector<std::string> given;
    std::string port = testing_tools::free_port();
    std::string vkey;
    std::string said;
};

TEST_F(WitnessPage, TheExampleIsCosignedUpToTheLastRecordOfAStoppedHub) {
    const auto witness = start(replaced(given[0], "8090", port));
    ASSERT_THAT(vkey, StartsWith("witness.example/w1+"));
    run(toml());
    (void)files.file("w1.vkey", vkey + "\n");
    const auto verified = shell(given[2], files.path());
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_THAT(verified.out, HasSubstr("cosigned: by witness.example/w1 at "));
    EXPECT_THAT(verified.out, Not(HasSubstr("which no anchor covers"))) << "the stop was shown to it too";
    EXPECT_THAT(said, Not(HasSubstr("has not seen the end")));
    end(*witness);
    run(toml());
    EXPECT_THAT(said, HasSubstr("1 witness has not seen the end of the log")) << "and is gone";
}

TEST_F(WitnessPage, WithACertificateItSpeaksTls) {
    const auto made = shell("openssl req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=localhost "
                            "-addext subjectAltName=IP:127.0.0.1 -keyout privkey.pem -out fullchain.pem 2>&1 && "
                            "chmod 600 privkey.pem",
                            files.path());
    ASSERT_EQ(made.exit_code, 0) << made.out;
    const auto witness = start(replaced(given[3], "0.0.0.0:8443", "127.0.0.1:" + port));
    const auto asked =
        shell("curl -sS --cacert fullchain.pem --data-binary nonsense https://127.0.0.1:" + port + "/add-checkpoint",
              files.path());
    EXPECT_EQ(asked.exit_code, 0) << asked.err;
    EXPECT_THAT(asked.out, HasSubstr("no old size"));
    EXPECT_NE(shell("curl -sS http://127.0.0.1:" + port + "/", files.path()).exit_code, 0) << "nothing else is spoken";
    end(*witness);
}

TEST_F(WitnessPage, WithoutACertificateItListensOnLoopbackOnlyAndSaysWhy) {
    const auto refused = shell(replaced(given[0], "127.0.0.1:8090", "0.0.0.0:" + port), files.path());
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("plain HTTP is served on loopback only, not on 0.0.0.0: give certificate and "
                                       "key files, or listen on 127.0.0.1 behind a proxy that brings the TLS"));
    const auto half = shell(replaced(given[3], "--tls-key ./privkey.pem", ""), files.path());
    EXPECT_EQ(half.exit_code, 2);
    EXPECT_THAT(half.err, HasSubstr("--tls-key"));
    const auto no_address = shell(replaced(given[0], "127.0.0.1:8090", "localhost:8090"), files.path());
    EXPECT_EQ(no_address.exit_code, 2);
    EXPECT_THAT(no_address.err, StartsWith("--listen is an IP address and a port"));
}

}  // namespace
}  // namespace countersign
