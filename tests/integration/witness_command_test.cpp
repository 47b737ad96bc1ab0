// SPDX-License-Identifier: Apache-2.0
// The real witness on a real socket, with the checkpoint that third parties accepted.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::countersign_path;
using testing_tools::Talk;

const std::string log_key = "audit.example/bridge1+e15d6e25+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
const std::string request =
    "old 0\n\naudit.example/bridge1\n70000\ncKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=\n\n— audit.example/bridge1 "
    "4V1uJb8ek3/qhur/p0xf4AXGRAccwb2oSb7ayh3/18tFJ6X/U/o+EIOJl7ZcmR29CEDmzBY6U9XXyzjoQmC5SN78/A4=\n";

class WitnessCommand : public testing::Test {
protected:
    [[nodiscard]] std::vector<std::string> command(const std::string& log = log_key) const {
        return {countersign_path(),
                "witness",
                "--listen",
                "127.0.0.1:" + port,
                "--key-file",
                files.path() + "/key",
                "--name",
                "w.example",
                "--log",
                log,
                "--state",
                files.path() + "/state"};
    }
    [[nodiscard]] std::string post(const std::string& body) const {
        const auto file = files.file("body", body);
        const auto script = "exec 3<>/dev/tcp/127.0.0.1/" + port +
                            "\nprintf 'POST /add-checkpoint HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n"
                            "Content-Length: " +
                            std::to_string(body.size()) + "\\r\\n\\r\\n' >&3\ncat " + file + " >&3\ncat <&3\n";
        return testing_tools::run({.argv = {"bash", "-c", script}}).out;
    }
    testing_tools::TemporaryDirectory files;
    std::string port = testing_tools::free_port();
};

TEST_F(WitnessCommand, ItCosignsOnceAndRemembersItAfterARestart) {
    {
        Talk witness{command()};
        ASSERT_TRUE(witness.wait_for("listening on")) << witness.said();
        EXPECT_THAT(witness.said(), HasSubstr("w.example+"));
        const auto cosigned = post(request);
        EXPECT_THAT(cosigned, HasSubstr("200 OK"));
        EXPECT_THAT(cosigned, HasSubstr("\r\n\r\n— w.example "));
        EXPECT_EQ(::kill(witness.pid(), SIGTERM), 0);
        EXPECT_EQ(witness.finish(), 0) << witness.said();
    }
    Talk again{command()};
    ASSERT_TRUE(again.wait_for("listening on")) << again.said();
    const auto conflict = post(request);
    EXPECT_THAT(conflict, HasSubstr(" 409 "));
    EXPECT_THAT(conflict, HasSubstr("text/x.tlog.size"));
    EXPECT_THAT(conflict, HasSubstr("\r\n\r\n70000\n"));
    EXPECT_THAT(post("nonsense"), HasSubstr(" 400 "));
    EXPECT_EQ(testing_tools::run({.argv = command()}).exit_code, 4) << "another one holds the state";
    EXPECT_EQ(::kill(again.pid(), SIGTERM), 0);
    EXPECT_EQ(again.finish(), 0);
}

// The next witness would not know a cosignature that is stored there.
TEST_F(WitnessCommand, ItDoesNotCosignIfItsDirectoryWasMovedAway) {
    Talk witness{command()};
    ASSERT_TRUE(witness.wait_for("listening on")) << witness.said();
    const auto state = files.path() + "/state";
    std::filesystem::rename(state, state + ".moved");
    EXPECT_THAT(post(request), HasSubstr("500 Internal Server Error"));
    std::filesystem::create_directory(state);
    const auto refused = post(request);
    EXPECT_THAT(refused, HasSubstr("500 Internal Server Error"));
    EXPECT_THAT(refused, Not(HasSubstr("— w.example")));
    EXPECT_TRUE(std::filesystem::is_empty(state)) << "and nothing is put into another's place";
    std::filesystem::remove(state);
    std::filesystem::rename(state + ".moved", state);
    EXPECT_THAT(post(request), HasSubstr("200 OK"));
    EXPECT_EQ(::kill(witness.pid(), SIGTERM), 0);
    EXPECT_EQ(witness.finish(), 0) << witness.said();
}

TEST_F(WitnessCommand, I13_ARequestIsBounded) {
    Talk witness{command()};
    ASSERT_TRUE(witness.wait_for("listening on")) << witness.said();
    EXPECT_THAT(post(std::string(64 * 1024, 'x')), HasSubstr(" 400 "));
    EXPECT_THAT(post(std::string(64 * 1024 + 1, 'x')), HasSubstr(" 413 "));
    EXPECT_EQ(::kill(witness.pid(), SIGTERM), 0);
    EXPECT_EQ(witness.finish(), 0);
}

TEST_F(WitnessCommand, AnInvalidKeyIsReported) {
    const auto ran = testing_tools::run({.argv = command("gar+bage")});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("--log"));
}

}  // namespace
}  // namespace countersign
