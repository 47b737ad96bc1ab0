// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/include_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(IncludeRules, EverySourceOfTheProgramFollowsTheArchitecture) {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::size_t files = 0;
    for (const auto* folder :
         {"core", "security", "audit", "net", "runtimes", "channels", "gateway", "sidecar", "config", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
            const auto extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".hpp") continue;
            ++files;
            std::ifstream file{entry.path()};
            const std::string text{std::istreambuf_iterator<char>{file}, {}};
            EXPECT_THAT(include_violations(fs::relative(entry.path(), root).string(), text), IsEmpty());
        }
    }
    EXPECT_GT(files, 100U) << "the sources were not found";
}

TEST(IncludeRules, APlantedForbiddenIncludeIsFound) {
    EXPECT_THAT(include_violations("core/option.cpp", "#include \"security/hmac.hpp\"\n"),
                ElementsAre(HasSubstr("core may not include security")));
    EXPECT_THAT(include_violations("security/hmac.cpp", "#include \"audit/log.hpp\"\n"),
                ElementsAre(HasSubstr("security may not include audit")));
    EXPECT_THAT(include_violations("gateway/server.cpp", "#include \"channels/outbox.hpp\"\n"),
                ElementsAre(HasSubstr("gateway may not include channels")));
    EXPECT_THAT(include_violations("channels/slack/render.cpp", "  #  include \"channels/telegram/render.hpp\"\n"),
                ElementsAre(HasSubstr("channels/slack may not include channels/telegram")));
    EXPECT_THAT(include_violations("runtimes/claude/adapter.cpp", "#include \"runtimes/codex/translate.hpp\"\n"),
                ElementsAre(HasSubstr("runtimes/claude may not include runtimes/codex")));
    EXPECT_THAT(include_violations("core/hub/hub.cpp", "#include \"channels/terminal/terminal.hpp\"\n"),
                ElementsAre(HasSubstr("core may not include channels")));
    EXPECT_THAT(include_violations("core/option.cpp", "#include \"tests/fakes/world.hpp\"\n"), testing::SizeIs(1));
}

TEST(IncludeRules, ThePartsOfTheProgramMeetInItsRoot) {
    EXPECT_THAT(include_violations("config/people.cpp", "#include \"channels/catalogue.hpp\"\n"),
                ElementsAre(HasSubstr("config may not include channels")));
    EXPECT_THAT(include_violations("sidecar/server.cpp", "#include \"config/config.hpp\"\n"),
                ElementsAre(HasSubstr("sidecar may not include config")));
    EXPECT_THAT(include_violations("sidecar/wire.cpp", "#include \"app/output.hpp\"\n"),
                ElementsAre(HasSubstr("sidecar may not include app")));
}

TEST(IncludeRules, TheTableOfAppFoldersHasNoCycle) {
    EXPECT_FALSE(app_folders_have_a_cycle());
    EXPECT_THAT(include_violations("app/channels/secrets.cpp", "#include \"app/commands/run.hpp\"\n"),
                ElementsAre(HasSubstr("app/channels may not include app/commands")));
    EXPECT_THAT(include_violations("app/demo/agent.cpp", "#include \"app/setup/ask.hpp\"\n"),
                ElementsAre(HasSubstr("app/demo may not include app/setup")));
    EXPECT_THAT(include_violations("app/extras/agent.cpp", "#include \"app/output.hpp\"\n"),
                ElementsAre(HasSubstr("a folder of app/ that the table does not know")));
    EXPECT_THAT(include_violations("app/commands/audit/show.cpp", "#include \"app/demo/agent.hpp\"\n"), IsEmpty());
    EXPECT_THAT(include_violations("app/demo/agent.cpp", "#include \"app/output.hpp\"\n"), IsEmpty());
    EXPECT_THAT(include_violations("app/open_hub.cpp", "#include \"app/anchoring/open.hpp\"\n"), IsEmpty());
}

TEST(IncludeRules, APlantedLibraryIsFound) {
    EXPECT_THAT(include_violations("channels/telegram/client.cpp", "#include <boost/beast/http.hpp>\n"),
                ElementsAre(HasSubstr("Beast does not belong into channels")));
    EXPECT_THAT(include_violations("channels/telegram/client.cpp", "#include <curl/curl.h>\n"),
                ElementsAre(HasSubstr("libcurl does not belong into channels")));
    EXPECT_THAT(include_violations("audit/note.cpp", "#include <openssl/evp.h>\n"),
                ElementsAre(HasSubstr("OpenSSL does not belong into audit")));
    EXPECT_THAT(include_violations("audit/note.cpp", "#include <sodium.h>\n"),
                ElementsAre(HasSubstr("libsodium does not belong into audit")));
    EXPECT_THAT(include_violations("core/glob.cpp", "#include <re2/re2.h>\n"),
                ElementsAre(HasSubstr("RE2 does not belong into core")));
    EXPECT_THAT(include_violations("core/request.hpp", "#include <boost/asio/awaitable.hpp>\n"),
                ElementsAre(HasSubstr("Asio does not belong into core")));
    EXPECT_THAT(include_violations("app/commands/demo.cpp", "#include <CLI/CLI.hpp>\n"),
                ElementsAre(HasSubstr("CLI11 does not belong into app/commands")));
    EXPECT_THAT(include_violations("app/reload.cpp", "#include <toml++/toml.h>\n"),
                ElementsAre(HasSubstr("toml++ does not belong into app")));
    EXPECT_THAT(include_violations("config/rules.cpp", "#include <spdlog/spdlog.h>\n"),
                ElementsAre(HasSubstr("spdlog does not belong into config")));
    EXPECT_THAT(include_violations("app/main.cpp", "#include <CLI/App.hpp>\n"),
                ElementsAre(HasSubstr("CLI11 does not belong into app")));
    EXPECT_THAT(include_violations("app/main.cpp", "#include <boost/json.hpp>\n"), testing::SizeIs(1));
}

TEST(IncludeRules, IncludesThatTheArchitectureAllowsPass) {
    EXPECT_THAT(include_violations("core/hub/hub.cpp", "#include <boost/asio/awaitable.hpp>\n#include <map>\n"),
                IsEmpty());
    EXPECT_THAT(include_violations("security/hmac.cpp", "#include <openssl/evp.h>\n#include \"core/result.hpp\"\n"),
                IsEmpty());
    EXPECT_THAT(include_violations("channels/telegram/client.cpp", "#include \"channels/outbox.hpp\"\n"), IsEmpty());
    EXPECT_THAT(include_violations("app/command_line/command.cpp", "#include <CLI/CLI.hpp>\n"), IsEmpty());
    EXPECT_THAT(include_violations("channels/catalogue.cpp", "#include \"channels/catalogue.hpp\"\n"), IsEmpty());
    EXPECT_THAT(include_violations("core/x.cpp", "// #include \"app/main.hpp\"\n"), IsEmpty())
        << "a comment includes nothing";
}

}  // namespace
}  // namespace countersign::lint
