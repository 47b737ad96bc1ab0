// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

namespace countersign::app {

void write_to(std::FILE* stream, std::string_view text) noexcept {
    if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0) return;
    // The stream remembers that it failed. Nobody looks, and there is nowhere else to say it.
}

bool result_written() noexcept { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace countersign::app
