// SPDX-License-Identifier: Apache-2.0
// A peer's bytes give the same requests and the same final refusal however they are split. Accepted requests are within
// the bounds and can be read in only one way.
#include "core/limits.hpp"
#include "gateway/request_reader.hpp"
#include "gateway/response.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace countersign::gateway;
using Stage = RequestReader::Stage;

constexpr std::size_t body_bytes_max = 64;

void require(bool holds) {
    if (!holds) std::abort();
}

// The result of reading, as one comparable text.
struct Reading {
    std::vector<std::string> requests;
    unsigned refused = 0;
    friend bool operator==(const Reading&, const Reading&) = default;
};

std::string lower(std::string text) {
    for (auto& symbol : text) {
        if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol + ('a' - 'A'));
    }
    return text;
}

void check(const Head& head, const RequestReader::Message& message) {
    require(message.body.size() <= body_bytes_max);
    require(head.chunked || head.length || message.body.empty());
    require(!head.length || *head.length == message.body.size());
    require(!(head.length && head.chunked));
    require(head.target.starts_with('/') && head.target.find_first_of(" #\r\n") == std::string::npos);
    require(message.headers.size() == head.headers && head.headers <= Bounds{}.headers);
    std::set<std::string> decisive;
    for (const auto& header : message.headers) {
        const auto name = lower(header.name);
        const bool no_control = std::ranges::none_of(header.value, [](unsigned char byte) { return byte < 0x20; });
        require(!name.empty() && no_control);
        require(name != "upgrade" && name != "expect" && name != "trailer");
        const bool decides = name == "host" || name == "content-length" || name == "transfer-encoding" ||
                             name.find("token") != name.npos || name.find("signature") != name.npos ||
                             name.find("timestamp") != name.npos;
        if (decides) require(decisive.insert(name).second);
    }
    require(decisive.contains("transfer-encoding") == head.chunked);
    require(decisive.contains("content-length") == head.length.has_value());
    require(decisive.contains("host") || !head.keep_alive);
}

void drive(RequestReader& reader, Stage stage, Reading& reading) {
    while (stage == Stage::judging || stage == Stage::complete) {
        if (stage == Stage::judging) {
            stage = reader.accept(body_bytes_max);
            continue;
        }
        const auto head = reader.head();
        auto message = reader.take();
        check(head, message);
        auto text = head.method + ' ' + head.target + '\n';
        for (const auto& header : message.headers) text += header.name + ':' + header.value + '\n';
        reading.requests.push_back(text + message.body);
        stage = reader.push({});
    }
}

Reading read(std::string_view stream, std::size_t piece) {
    const Bounds bounds{.head_bytes = 1024};
    RequestReader reader{bounds};
    Reading reading;
    while (!stream.empty() && reader.stage() != Stage::refused) {
        const auto part = stream.substr(0, piece);
        stream.remove_prefix(part.size());
        drive(reader, reader.push(part), reading);
        require(reader.buffered() <= bounds.head_bytes + part.size());
    }
    if (reader.stage() == Stage::refused) {
        reading.refused = reader.refusal().status;
        require(reading.refused >= 400 && !reader.refusal().why.empty());
        require(
            to_bytes(refused(reader.refusal()), false, {}).starts_with("HTTP/1.1 " + std::to_string(reading.refused)));
    }
    return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view stream{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = read(stream, stream.size() + 1);
    require(read(stream, 1U + data[0] % 32U) == whole);
    return 0;
}
