// SPDX-License-Identifier: Apache-2.0
// `hook claude --install` and `--uninstall`: edit a settings file of Claude Code.
#include "app/commands/hook_claude.hpp"
#include "app/input.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "audit/file_system.hpp"
#include "runtimes/claude/hook_settings.hpp"
#include "security/display/display.hpp"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace countersign::app {
namespace {

namespace fs = std::filesystem;
namespace claude = runtimes::claude;

std::string variable(const char* name) {
    const auto* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value == nullptr ? std::string{} : std::string{value};
}

Result<std::string> settings_file(const HookInstallOptions& options) {
    if (!options.settings.empty()) return options.settings;
    if (options.project) return std::string{".claude/settings.json"};
    if (const auto config = variable("CLAUDE_CONFIG_DIR"); !config.empty()) return config + "/settings.json";
    if (const auto home = variable("HOME"); !home.empty()) return home + "/.claude/settings.json";
    return Error{Errc::bad_config, "HOME is not set: name the file with --settings FILE"};
}

std::string full_path(const std::string& path) {
    std::error_code failed;
    const auto full = fs::absolute(path, failed);
    return failed ? path : full.string();
}

// For /bin/sh, which starts the hook. By its full path, because the CLI's PATH may be another one.
std::string hook_command(const ClaudeHookOptions& hook, const HookInstallOptions& options) {
    auto command = shell_word(own_path()) + " hook claude";
    const auto add = [&command](const std::string& name, const std::string& value) {
        command += " " + name + " " + shell_word(value);
    };
    const ClaudeHookOptions defaults;
    if (hook.agent_id != defaults.agent_id) add("--agent", hook.agent_id);
    if (!hook.state.empty()) add("--state", full_path(hook.state));
    if (!hook.config.empty()) add("--config", full_path(hook.config));
    if (hook.sub_agent_wait != defaults.sub_agent_wait) add("--sub-agent-wait", std::to_string(hook.sub_agent_wait));
    if (hook.unattended) command += " --unattended";
    if (hook.ask_everything) command += " --ask-everything";
    if (options.default_mode) command += " --default-mode";
    return command;
}

// Empty if there is no such file.
Result<std::string> text_of(const std::string& file) {
    std::error_code failed;
    if (!fs::exists(file, failed) && !failed) return std::string{};
    return read_file(file);
}

// Replaces the file in one step. A link stays, and what it leads to is replaced; the mode stays, too.
Result<void> replace(const std::string& file, const std::string& text) {
    std::error_code failed;
    const auto target = fs::exists(file, failed) ? fs::canonical(file, failed) : fs::absolute(file, failed);
    if (failed) return Error{Errc::unavailable, file + ": " + failed.message()};
    fs::create_directories(target.parent_path(), failed);
    struct stat status{};
    const bool there = ::stat(target.c_str(), &status) == 0;
    auto replaced =
        audit::replace(audit::posix_file_system(), target.parent_path().string(), target.filename().string(), text);
    if (replaced && there) (void)::chmod(target.c_str(), status.st_mode & 0777);
    return replaced;
}

std::string copy_of(const std::string& file) { return file + ".before-countersign"; }

// Kept once: the file as it was before the first installation.
Result<void> keep_copy(const std::string& file) {
    std::error_code failed;
    if (!fs::exists(file, failed) || fs::exists(copy_of(file), failed)) return {};
    if (!fs::copy_file(file, copy_of(file), failed)) {
        return Error{Errc::unavailable, copy_of(file) + ": " + failed.message()};
    }
    return {};
}

std::string shown(const std::string& path) { return security::display(path, security::DisplayMode::line); }

void explain(const ClaudeHookOptions& hook, const HookInstallOptions& options) {
    show("Each session that you start with claude now asks here as well, while a hub runs: countersign serve\n");
    if (!options.default_mode && !hook.ask_everything) {
        show("Claude Code's terminal starts in the mode \"auto\", in which a model decides and hardly anything is "
             "asked. "
             "To be asked, install again with --default-mode (what Claude Code would ask in its default mode) or "
             "--ask-everything (every call).\n");
    }
    if (hook.unattended) show("If the hook fails or takes too long, the call is denied, also at a terminal.\n");
}

Error in_file(const std::string& file, const Error& why) {
    return {why.code, file + ": " + why.detail + "; nothing was changed"};
}

}  // namespace

int install_claude_hook(const ClaudeHookOptions& hook, const HookInstallOptions& options) {
    const auto file = settings_file(options);
    if (!file) return report(file.error());
    const auto text = text_of(*file);
    if (!text) return report(text.error());
    const auto before = text_of(copy_of(*file));
    const claude::HookInstallation wanted{.command = hook_command(hook, options),
                                          .unattended = hook.unattended,
                                          .default_mode = options.default_mode,
                                          .ask_everything = hook.ask_everything};
    const auto edited = claude::with_hook(*text, wanted, before ? *before : std::string{});
    if (!edited) return report(in_file(*file, edited.error()));
    if (options.print) {
        show("{}", *edited);
        return exit_holds;
    }
    if (*edited == *text) {
        show("{} has the hook already.\n", shown(*file));
        return exit_holds;
    }
    if (const auto kept = keep_copy(*file); !kept) return report(kept.error());
    if (const auto written = replace(*file, *edited); !written) return report(written.error());
    show("{} has the hook now{}\n", shown(*file),
         text->empty() ? "." : "; " + shown(copy_of(*file)) + " is the file as it was.");
    explain(hook, options);
    return exit_holds;
}

int uninstall_claude_hook(const HookInstallOptions& options) {
    const auto file = settings_file(options);
    if (!file) return report(file.error());
    const auto text = text_of(*file);
    if (!text) return report(text.error());
    const auto before = text_of(copy_of(*file));
    const auto edited = text->empty() ? text : claude::without_hook(*text, before ? *before : std::string{});
    if (!edited) return report(in_file(*file, edited.error()));
    if (options.print) {
        show("{}", *edited);
        return exit_holds;
    }
    if (*edited == *text) {
        show("{} has no hook of Countersign.\n", shown(*file));
        return exit_holds;
    }
    if (const auto written = replace(*file, *edited); !written) return report(written.error());
    std::error_code ignored;
    fs::remove(copy_of(*file), ignored);
    show("{} has no hook of Countersign any more. Sessions that run keep it until they end.\n", shown(*file));
    return exit_holds;
}

}  // namespace countersign::app
