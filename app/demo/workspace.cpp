// SPDX-License-Identifier: Apache-2.0
#include "app/demo/workspace.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace countersign::app::demo {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream{path} << text;
}

}  // namespace

Result<Workspace> make_workspace() {
    std::error_code failed;
    const auto base = fs::temp_directory_path(failed);
    if (failed) return Error{Errc::unavailable, "no directory for temporary files: " + failed.message()};
    auto root = (base / "countersign-demo-XXXXXX").string();
    if (::mkdtemp(root.data()) == nullptr) {  // creates it with mode 0700
        return Error{Errc::unavailable, root + ": " + std::system_category().message(errno)};
    }
    const fs::path project = fs::path{root} / "project";
    write(project / "README.md", "# shop\n\nA small web shop.\n");
    write(project / "src/price.py", "def total(prices):\n    return sum(prices)\n");
    write(project / "build/shop.o", "object code\n");
    write(project / "build/shop.map", "symbols\n");
    return Workspace{.root = root, .project = project.string(), .state = root + "/state"};
}

}  // namespace countersign::app::demo
