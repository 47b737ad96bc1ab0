// SPDX-License-Identifier: Apache-2.0
// The logs that tests/data/logs holds, made anew: every kind of record that a hub of this version writes, made by its
// own makers of records. The clock is moved by hand and the keys count their bytes, so that two runs give the same
// bytes.
//
// They are made once for a release, and then only read: see tests/data/README.md.
#pragma once

#include <map>
#include <string>

namespace countersign::audit {

// Paths and bytes. `state` is a log with a crash in it, `sealed` one that was put aside and the one that followed.
[[nodiscard]] std::map<std::string, std::string> make_recorded_logs();

}  // namespace countersign::audit
