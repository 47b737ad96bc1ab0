// SPDX-License-Identifier: Apache-2.0
// `audit export`: the log in the form that other programs serve, mirror and check.
#include "audit/export.hpp"
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/output.hpp"
#include "app/process.hpp"

#include <memory>

namespace countersign::app {
namespace {

struct ExportOptions {
    std::string state;
    std::string tiles;
    GivenKey key;
};

int audit_export(const ExportOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    const auto key = options.key.or_own(*directory);
    if (!key) return audit_failed(key.error());
    const auto exported = audit::export_tiles(
        {.files = audit::posix_file_system(), .directory = *directory, .key = *key, .target = options.tiles});
    if (!exported) return audit_failed(exported.error());
    show("{} records of {} as {} tiles and bundles\n", exported->tree.size, key->name(), exported->tiles);
    return exit_holds;
}

}  // namespace

void add_audit_export(CLI::App& audit, int& exit_code) {
    auto* command = audit.add_subcommand("export", "Write the log as files that others serve, mirror and check");
    auto options = std::make_shared<ExportOptions>();
    add_state_option(*command, options->state);
    options->key.add_to(*command);
    command->add_option("--tiles", options->tiles, "Where to: a new or empty directory, or an earlier export")
        ->required();
    command->footer("The layout is c2sp.org/tlog-tiles: checkpoint, tile/<level>/<number>, tile/entries/<number>.");
    command->callback([&exit_code, options] { exit_code = audit_export(*options); });
}

}  // namespace countersign::app
