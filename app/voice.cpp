// SPDX-License-Identifier: Apache-2.0
#include "app/voice.hpp"

#include "app/commands/audit/screen.hpp"
#include "app/output.hpp"
#include "channels/terminal/speech.hpp"

#include <unistd.h>

namespace countersign::app {

namespace terminal = channels::terminal;

void say_to_output(const std::string& line) { write_to(stdout, terminal::spoken(line, style_of(STDOUT_FILENO))); }

void quote_to_output(const std::string& speaker, const std::string& words) {
    write_to(stdout, terminal::quoted(speaker, words, style_of(STDOUT_FILENO)));
}

void quote_to_errors(const std::string& speaker, const std::string& words) {
    write_to(stderr, terminal::quoted(speaker, words, style_of(STDERR_FILENO)));
}

}  // namespace countersign::app
