// SPDX-License-Identifier: Apache-2.0
// Regenerates the logs of tests/data/logs: every kind of record that a hub of this version writes, made by the hub's
// own functions. The clock is moved by hand and the keys count their bytes, so that two runs give the same bytes.
//
// They are recorded once per release, and after that only read: see tests/data/README.md.
#pragma once

#include <map>
#include <string>

namespace countersign::audit {

// Paths and their bytes. `state` is a log with a crash in it, `sealed` one that was put aside and its successor.
[[nodiscard]] std::map<std::string, std::string> make_recorded_logs();

}  // namespace countersign::audit
