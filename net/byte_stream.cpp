// SPDX-License-Identifier: Apache-2.0
#include "net/byte_stream.hpp"

#include "net/child.hpp"

namespace countersign::net {
namespace {

class ChildBytes final : public ByteStream {
public:
    explicit ChildBytes(Child& child) : child_{child} {}
    boost::asio::awaitable<Result<std::string>> read() override { return child_.read(); }
    boost::asio::awaitable<Result<void>> write(std::string bytes) override { return child_.write(std::move(bytes)); }
    void close() override {
        child_.close_stdin();
        child_.close_output();
    }

private:
    Child& child_;
};

}  // namespace

std::unique_ptr<ByteStream> child_bytes(Child& child) { return std::make_unique<ChildBytes>(child); }

}  // namespace countersign::net
