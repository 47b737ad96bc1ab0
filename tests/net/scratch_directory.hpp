// SPDX-License-Identifier: Apache-2.0
// A fresh directory that is removed with the object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace countersign::testing_tools {

class ScratchDirectory {
public:
    ScratchDirectory() : path_{(std::filesystem::temp_directory_path() / "countersign-net-XXXXXX").string()} {
        if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }
    // Writes a file in it and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
        auto path = path_ + "/" + name;
        std::ofstream{path, std::ios::binary} << text;
        return path;
    }

private:
    std::string path_;
};

}  // namespace countersign::testing_tools
