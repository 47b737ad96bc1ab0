// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line, and as the leftovers of a crash after a good log. Nothing may crash; a log that recovery accepts
// must verify, start with all promised records, and contain no record from the bytes.
#include "audit/chain.hpp"
#include "audit/log.hpp"
#include "audit/print.hpp"
#include "audit/record.hpp"
#include "audit/record_head.hpp"
#include "audit/segment.hpp"
#include "audit/verifier.hpp"
#include "tests/audit/memory_file_system.hpp"

#include <boost/asio/io_context.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace {

using namespace countersign;
using namespace countersign::audit;

const std::string directory = "audit";
constexpr std::uint64_t promised = 3;

void require(bool holds) {
    if (!holds) std::abort();
}

class StillClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return {}; }
    [[nodiscard]] BootTime boot() const override { return {}; }
    boost::asio::awaitable<void> sleep_until(BootTime) override { co_return; }
};

NoteSigner signer() {
    std::array<std::uint8_t, 32> seed{};
    std::iota(seed.begin(), seed.end(), std::uint8_t{0});
    return std::move(
        *NoteSigner::make("fuzz", std::move(*security::Ed25519SigningKey::from_seed(security::Secret{seed}))));
}

LogEntry entry(std::string kind) { return {.kind = std::move(kind), .fields = {}, .long_text = {}}; }

// The log to which the bytes are appended: two records, each in a separate batch.
struct Good {
    NoteSigner key = signer();
    fakes::MemoryFileSystem disk;
    std::string bytes;

    Good() {
        BatchWriter writer{
            {.files = disk, .directory = directory, .signer = signer(), .boot_id = "b", .segment_bytes = 0}, {}};
        for (std::uint64_t i = 0; i < promised; ++i) {
            std::deque<Item> items;
            items.push_back({.entry = entry("n"), .ts = {}, .mono = {}});
            require(writer.write(items).has_value());
        }
        disk.write(directory + "/log.vkey", key.key().vkey() + "\n");
        for (std::uint64_t i = 0; i < *count_segments(disk, directory); ++i)
            bytes += disk.read(directory + "/" + segment_name(i));
    }
};

void read_as_line(std::string_view text) {
    const auto line = split_line(text);
    if (!line) return;
    const auto record = parse_record(line->json);
    if (const auto head = scan_head(line->json)) {
        require(record.has_value() && head->seq == record->seq && head->synced == record->synced);
        require(head->prev_root == record->prev_root && head->kind == record->kind);
        require(head->text_file == record->text("textFile"));
    }
    if (!record) return;
    const auto shown = print(*record);
    for (const char c : shown) require(static_cast<unsigned char>(c) >= 0x20);
}

void recover_with(const Good& good, std::string_view bytes) {
    fakes::MemoryFileSystem disk;
    disk.write(directory + "/log.vkey", good.key.key().vkey() + "\n");
    disk.write(directory + "/seg-000000.log", good.bytes + std::string{bytes});
    StillClock clock;
    boost::asio::io_context context;
    const Stamp now{.boot_id = "b"};
    std::string where = directory;
    const auto before = verify(disk, directory, {.key = good.key.key()});
    require(before.has_value());
    const auto recovered = recover({.files = disk, .directory = where, .signer = good.key, .now = now});
    require(recovered.has_value() == (before->verdict != Verification::Verdict::broken));
    if (!recovered) return;
    const auto after = verify(disk, directory, {.key = good.key.key()});
    require(after.has_value() && after->ok());
    // Only we can sign, so the bytes can add nothing except the record that they were removed.
    require(after->records == promised + (recovered->removed ? 1 : 0));
    const auto again = recover({.files = disk, .directory = where, .signer = good.key, .now = now});
    require(again.has_value() && !again->removed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Good good;
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    read_as_line(bytes);
    (void)remains_of(bytes);
    (void)open_note(bytes, good.key.key());
    (void)NoteKey::parse(bytes);
    (void)parse_checkpoint(bytes, "fuzz");
    recover_with(good, bytes);
    return 0;
}
