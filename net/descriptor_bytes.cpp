// SPDX-License-Identifier: Apache-2.0
#include "net/descriptor_bytes.hpp"

#include "net/descriptor_writer.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

class DescriptorBytes final : public ByteStream {
public:
    // Takes ownership of both descriptors.
    DescriptorBytes(const asio::any_io_executor& executor, int in, int out, const DescriptorOptions& options)
        : peer_{options.peer},
          in_{executor, in},
          out_{executor,
               out,
               {.peer = options.peer, .write_max = options.write_max, .bytes_max = options.outgoing_bytes_max}} {}
    DescriptorBytes(const DescriptorBytes&) = delete;
    DescriptorBytes& operator=(const DescriptorBytes&) = delete;
    ~DescriptorBytes() override { close(); }

    asio::awaitable<Result<std::string>> read() override {
        std::array<char, 16 * 1024> buffer;
        boost::system::error_code failed;
        const auto got =
            co_await in_.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failed));
        if (!failed) co_return std::string{buffer.data(), got};
        if (failed == asio::error::eof) co_return std::string{};
        // Cancelled from outside. After close(), the other reason, the descriptor is closed.
        if (failed == asio::error::operation_aborted && in_.is_open()) throw boost::system::system_error{failed};
        co_return Error{Errc::unavailable, "reading from " + peer_ + ": " + failed.message()};
    }
    asio::awaitable<Result<void>> write(std::string bytes) override { return out_.write(std::move(bytes)); }
    void close() override {
        if (in_.is_open()) ::fcntl(in_.native_handle(), F_SETFL, in_flags_);
        boost::system::error_code ignored;
        in_.close(ignored);
        out_.close();
    }

private:
    std::string peer_;
    asio::posix::stream_descriptor in_;
    int in_flags_ = ::fcntl(in_.native_handle(), F_GETFL);
    DescriptorWriter out_;  // after the flags, because it may be the same pipe or socket
};

}  // namespace

Result<std::unique_ptr<ByteStream>> descriptor_bytes(const asio::any_io_executor& executor, int in, int out,
                                                     DescriptorOptions options) {
    const int own_in = ::fcntl(in, F_DUPFD_CLOEXEC, 0);
    const int own_out = own_in < 0 ? -1 : ::fcntl(out, F_DUPFD_CLOEXEC, 0);
    if (own_out < 0) {
        Error error{Errc::unavailable,
                    "cannot use the streams of " + options.peer + ": " + std::system_category().message(errno)};
        if (own_in >= 0) ::close(own_in);
        return error;
    }
    return std::unique_ptr<ByteStream>{std::make_unique<DescriptorBytes>(executor, own_in, own_out, options)};
}

}  // namespace countersign::net
