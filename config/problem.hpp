// SPDX-License-Identifier: Apache-2.0
// ConfigProblem: one problem in a configuration file, its position, and what to write instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::config {

struct ConfigProblem {
    std::string file;
    int line = 0;  // from 1; 0 if it concerns the whole file
    int column = 0;
    std::string key;      // routes[0].deciders
    std::string what;     // never contains the value of a setting that may be a secret
    std::string instead;  // "write …" or "did you mean …?"; may be empty
    friend bool operator==(const ConfigProblem&, const ConfigProblem&) = default;
};

// countersign.toml:12:3: routes[0].deciders: nobody may decide; write deciders = ["alice"]
//
// Control characters are escaped: a name in the file must not control the operator's terminal.
[[nodiscard]] std::string print(const ConfigProblem& problem);

// A position in the file, in lines and characters from 1.
struct Position {
    int line = 0;
    int column = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
};

// Collects problems, up to config_problems_max: an operator fixes about a page of them at a time.
class Problems {
public:
    explicit Problems(std::string file) : file_{std::move(file)} {}

    void add(Position at, std::string key, std::string what, std::string instead = {});
    [[nodiscard]] std::size_t count() const { return found_.size(); }
    [[nodiscard]] bool full() const;
    // In file order.
    [[nodiscard]] std::vector<ConfigProblem> sorted() &&;

private:
    std::string file_;
    std::vector<ConfigProblem> found_;
};

// `outer.key`, with quotes where TOML requires them. Long keys are cut, because the path is only for reading.
[[nodiscard]] std::string key_path(std::string_view outer, std::string_view key);
[[nodiscard]] std::string index_path(std::string_view outer, std::size_t index);

}  // namespace countersign::config
