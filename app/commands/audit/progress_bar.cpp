// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/progress_bar.hpp"

#include "app/commands/audit/screen.hpp"
#include "app/output.hpp"
#include "channels/terminal/width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using channels::terminal::width_of;

constexpr auto blink = 300ms;
constexpr auto between = 100ms;
constexpr std::string_view clear_line = "\r\x1b[K";

// SA_RESETHAND has restored the default action, so raising the signal ends the process as usual.
extern "C" void clear_and_end(int signal) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, clear_line.data(), clear_line.size());
    (void)::raise(signal);
}

// Leaves ignored signals ignored, e.g. under nohup. The handlers stay after the bar is gone, which does no harm.
void clear_when_ended() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction usual{};
        if (::sigaction(signal, nullptr, &usual) != 0 || usual.sa_handler != SIG_DFL) continue;
        struct sigaction clearing{};
        clearing.sa_handler = clear_and_end;
        clearing.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(signal, &clearing, nullptr);
    }
}

bool moves_the_cursor() {
    const char* term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view{term} != "dumb";
}

bool to_a_file(int descriptor) {
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

std::string whole_span(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.0f} h", seconds / 3600);
}

std::size_t bar_columns(std::size_t columns) {
    if (columns >= 100) return 30;
    return columns >= 72 ? 18 : 10;
}

}  // namespace

std::string progress_line(const audit::Progress& progress, std::chrono::milliseconds since, std::size_t columns,
                          bool utf8) {
    const auto done =
        progress.of == 0 ? 1.0 : std::min(static_cast<double>(progress.bytes) / static_cast<double>(progress.of), 1.0);
    const auto seconds = std::max(static_cast<double>(since.count()) / 1000, 0.001);
    const auto width = bar_columns(columns);
    const auto filled = static_cast<std::uint64_t>(done * 1000);
    const std::string drawn = " [" + cell(bar(filled, 1000, width, utf8), width) + "]";
    const std::string percent = fmt::format(" {:>3} %", static_cast<int>(done * 100));
    const std::string records = "  " + grouped(progress.records) + " records";
    const auto per_second = std::min(static_cast<double>(progress.records) / seconds, 1e18);
    const std::string speed = "  " + grouped(static_cast<std::uint64_t>(per_second)) + "/s";
    const std::string left = done > 0 ? "  " + whole_span(seconds / done - seconds) + " left" : std::string{};
    const auto doing = progress.doing;
    using Parts = std::vector<std::string_view>;
    for (const auto& parts :
         {Parts{doing, drawn, percent, records, speed, left}, Parts{doing, drawn, percent, speed, left},
          Parts{doing, drawn, percent, left}, Parts{doing, drawn, percent}, Parts{doing, percent}}) {
        auto line = fmt::format("{}", fmt::join(parts, ""));
        if (width_of(line) < columns) return line;
    }
    return percent.size() < columns ? percent : std::string{};
}

ProgressBar::ProgressBar() : ProgressBar{Output::at_the_end} {}

ProgressBar::ProgressBar(Output output)
    : shown_{moves_the_cursor() && (output == Output::at_the_end || to_a_file(STDOUT_FILENO))}, utf8_{utf8_locale()} {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (drawn_) write_to(stderr, clear_line);
    drawn_ = false;
}

audit::Watch ProgressBar::watch() {
    if (!shown_) return {};
    return [this](const audit::Progress& progress) { at(progress); };
}

void ProgressBar::at(const audit::Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (progress.doing != doing_ || progress.bytes < bytes_) {
        doing_ = progress.doing;
        step_began_ = now;
    }
    bytes_ = progress.bytes;
    if (progress.bytes >= progress.of) return clear();
    if (now - began_ < blink || (drawn_at_ && now - *drawn_at_ < between)) return;
    if (!drawn_at_) clear_when_ended();
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - step_began_);
    write_to(stderr, "\r" + progress_line(progress, since, terminal_columns(STDERR_FILENO), utf8_) + "\x1b[K");
    drawn_at_ = now;
    drawn_ = true;
}

}  // namespace countersign::app
