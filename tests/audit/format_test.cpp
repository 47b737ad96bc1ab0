// SPDX-License-Identifier: Apache-2.0
// Rebuilds the worked example of audit/FORMAT.md: the test fails if the page and the code differ.
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace countersign::audit {
namespace {

using testing::HasSubstr;

// As a code block on the page: four spaces before each line, and TAB spelled out.
std::string as_on_the_page(const std::string& bytes) {
    std::string page = "    ";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\t') {
            page += "<TAB>";
        } else {
            page += bytes[i];
            if (bytes[i] == '\n' && i + 1 < bytes.size() && bytes[i + 1] != '\n') page += "    ";
        }
    }
    return page;
}

TEST(Format, TheExampleInTheDocumentationIsWhatTheLogWrites) {
    LogWorld world;
    ASSERT_TRUE(world.open());
    world.disk->hang(true);
    const auto request = world.start(world.log->append(entry("heartbeat")));
    world.disk->wait_for_hanging();
    world.clock.advance(std::chrono::milliseconds{1234});
    const auto vote = world.start(world.log->append(entry("vote", {{"person", "alice"}})));
    const auto decision = world.start(world.log->append(entry(
        "decision", {{"requestId", "01JCABCDEFGHJKMNPQRSTVWXYZ"}, {"decision", "denied"}, {"decidedBy", "alice"}})));
    world.disk->hang(false);
    ASSERT_TRUE(world.await(request) && world.await(vote) && world.await(decision));
    ASSERT_TRUE(world.close());

    std::ifstream file{COUNTERSIGN_SOURCE_DIR "/audit/FORMAT.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    EXPECT_THAT(page, HasSubstr(as_on_the_page(world.disk->read(directory + "/seg-000000.log"))));
    EXPECT_THAT(page, HasSubstr(as_on_the_page(world.disk->read(directory + "/checkpoint"))));
    EXPECT_THAT(page, HasSubstr(as_on_the_page(world.disk->read(directory + "/log.vkey"))));
}

}  // namespace
}  // namespace countersign::audit
