// SPDX-License-Identifier: Apache-2.0
// Everything that is read can be written in canonical form, which is read back without loss and doesn't change again;
// every span is inside its parent; and an exact document has the hash of its canonical form.
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/args_hash.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace json = countersign::json;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void require_spans_inside(const json::Value& value, json::Value::Span outer, std::size_t depth) {
    const auto span = value.span();
    require(outer.begin <= span.begin && span.begin < span.end && span.end <= outer.end);
    require(depth <= countersign::limits::json_depth_max);
    if (const auto* array = value.array()) {
        for (const auto& element : *array) require_spans_inside(element, span, depth + 1);
    } else if (const auto* object = value.object()) {
        for (const auto& member : object->members()) require_spans_inside(member.second, span, depth + 1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto document = json::read(text);
    const auto hash = countersign::security::args_hash("fuzz", text);
    if (!document) {
        require(hash.has_value() == (document.error().code == countersign::Errc::too_large));
        return 0;
    }
    require(countersign::utf8::valid(text));
    require_spans_inside(document->value, {.begin = 0, .end = size}, 0);

    const auto once = json::canonical(document->value);
    // A short number may print longer than its source, so a text just below the bound could grow beyond it.
    if (once.size() > countersign::limits::json_bytes_max) return 0;
    const auto again = json::read(once);
    require(again.has_value() && again->exact());
    require(json::canonical(again->value) == once);

    require(hash.has_value() && hash->canonical == document->exact());
    const auto same = countersign::security::args_hash("fuzz", once);
    require(same.has_value() && same->canonical);
    require((same->hex == hash->hex) == document->exact());
    return 0;
}
