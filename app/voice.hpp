// SPDX-License-Identifier: Apache-2.0
// What is said where no terminal channel shows the cards: in rows of the stream it goes to, an agent's words each with
// its name (channels/terminal/speech.hpp).
#pragma once

#include <string>

namespace countersign::app {

// Our own words, to standard output.
void say_to_output(const std::string& line);
// An agent's words. The caller redacted and sanitised them.
void quote_to_output(const std::string& speaker, const std::string& words);
void quote_to_errors(const std::string& speaker, const std::string& words);

}  // namespace countersign::app
