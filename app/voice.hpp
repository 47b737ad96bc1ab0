// SPDX-License-Identifier: Apache-2.0
// Output when no terminal channel shows the cards: rows on a standard stream. Rows with an agent's text carry its name
// (channels/terminal/speech.hpp).
#pragma once

#include <string>

namespace countersign::app {

// Prints our own text to standard output.
void say_to_output(const std::string& line);
// Prints an agent's text. The caller must have redacted and sanitised it.
void quote_to_output(const std::string& speaker, const std::string& words);
void quote_to_errors(const std::string& speaker, const std::string& words);

}  // namespace countersign::app
