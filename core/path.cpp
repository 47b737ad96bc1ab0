// SPDX-License-Identifier: Apache-2.0
#include "core/path.hpp"

#include "core/glob.hpp"

#include <algorithm>

namespace countersign {

namespace {

// Appends the parts of `path`; a `..` removes the last one. At the root a `..` has no effect, as in a kernel. Above an
// unknown directory it is kept, so that the path visibly leaves that directory.
void append_parts(std::vector<std::string_view>& parts, std::string_view path, bool rooted) {
    while (!path.empty()) {
        const auto end = std::min(path.find('/'), path.size());
        const auto part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (part.empty() || part == ".") continue;
        if (part != "..") {
            parts.push_back(part);
        } else if (!parts.empty() && parts.back() != ".." && parts.back() != "~") {
            parts.pop_back();
        } else if (!rooted) {
            parts.push_back(part);
        }
    }
}

bool is_home(std::string_view path) { return path == "~" || path.starts_with("~/"); }
bool is_absolute(std::string_view path) { return path.starts_with('/'); }

}  // namespace

std::string resolved_path(std::string_view path, std::string_view cwd) {
    const bool relative = !is_absolute(path) && !is_home(path);
    const auto base = relative ? cwd : path;
    const bool rooted = is_absolute(base);
    std::vector<std::string_view> parts;
    append_parts(parts, base, rooted);
    if (relative) append_parts(parts, path, rooted);

    std::string text;
    for (const auto part : parts) {
        if (rooted || !text.empty()) text += '/';
        text += part;
    }
    if (text.empty()) return rooted ? "/" : ".";
    return text;
}

bool inside(std::string_view path, std::string_view cwd) {
    const auto full = resolved_path(path, cwd);
    if (cwd.empty()) return !is_absolute(full) && !is_home(full) && full != ".." && !full.starts_with("../");
    const auto root = resolved_path(cwd, "");
    if (full == root) return true;
    return full.starts_with(root) && (root.ends_with('/') || full[root.size()] == '/');
}

bool path_fits(std::string_view pattern, std::string_view path, std::string_view cwd) {
    const auto full = resolved_path(path, cwd);
    const bool anywhere = is_absolute(pattern) || is_home(pattern) || pattern.starts_with('*') || cwd.empty();
    if (anywhere) return glob_fits(pattern, full);
    return glob_fits(resolved_path(pattern, cwd), full);
}

}  // namespace countersign
