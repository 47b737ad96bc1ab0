// SPDX-License-Identifier: Apache-2.0
#include "net/curl_loop.hpp"

#include "core/limits.hpp"

namespace countersign::net {

namespace asio = boost::asio;

struct CurlLoop::Watched {
    Watched(const asio::any_io_executor& executor, curl_socket_t number) : socket{number}, descriptor{executor} {}
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    ~Watched() { release(); }
    void release() {
        if (descriptor.is_open()) static_cast<void>(descriptor.release());
    }

    curl_socket_t socket;
    asio::posix::stream_descriptor descriptor;
    int wanted = CURL_POLL_NONE;  // the bits CURL_POLL_IN and CURL_POLL_OUT
    bool reading = false;
    bool writing = false;
};

CurlLoop::CurlLoop(asio::any_io_executor executor)
    : executor_{std::move(executor)}, timer_{executor_}, alive_{std::make_shared<const bool>(true)} {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) return;  // start() will report that there is no multi handle
    multi_.reset(curl_multi_init());
    if (!multi_) return;
    const auto connections = static_cast<long>(limits::http_connections_max);
    curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket);
    curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer);
    curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    // Connections kept for later calls. By default it follows the number of running transfers and closes the others.
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, connections);
}

CurlLoop::~CurlLoop() {
    alive_.reset();
    for (const auto& [handle, task] : running_) {
        curl_multi_remove_handle(multi_.get(), handle);
        task->finish(Error{Errc::unavailable, "the HTTP client was closed before the answer came"});
    }
    multi_.reset();
}

Result<void> CurlLoop::start(std::shared_ptr<CurlTask> task) {
    if (!multi_) return Error{Errc::unavailable, "libcurl does not start"};
    if (running_.size() >= limits::http_transfers_max) {
        return Error{Errc::busy, std::to_string(limits::http_transfers_max) + " calls are under way: try again later"};
    }
    auto* const handle = task->handle();
    const auto added = curl_multi_add_handle(multi_.get(), handle);
    if (added != CURLM_OK) return Error{Errc::unavailable, curl_multi_strerror(added)};
    running_.emplace(handle, std::move(task));
    return {};
}

void CurlLoop::drop(const CurlTask& task) {
    const auto found = running_.find(task.handle());
    if (found == running_.end()) return;
    curl_multi_remove_handle(multi_.get(), found->first);
    running_.erase(found);
}

int CurlLoop::on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
    auto& loop = *static_cast<CurlLoop*>(self);
    if (what == CURL_POLL_REMOVE) {
        loop.forget(socket);
    } else {
        loop.watch(socket, what, known != nullptr);
    }
    return 0;
}

void CurlLoop::watch(curl_socket_t socket, int what, bool known) {
    if (!known) {
        forget(socket);  // libcurl reuses the number for another socket
        auto fresh = std::make_shared<Watched>(executor_, socket);
        boost::system::error_code failed;
        fresh->descriptor.assign(socket, failed);
        if (failed) return;  // the kernel watches no more sockets: the call ends at its deadline
        curl_multi_assign(multi_.get(), socket, fresh.get());
        watched_.emplace(socket, std::move(fresh));
    }
    const auto found = watched_.find(socket);
    if (found == watched_.end()) return;
    found->second->wanted = what;
    wait_as_wanted(found->second);
}

// Releases the descriptor now, not with its last handler: the same number may be watched again before that.
void CurlLoop::forget(curl_socket_t socket) {
    const auto found = watched_.find(socket);
    if (found == watched_.end()) return;
    found->second->release();
    watched_.erase(found);
}

void CurlLoop::wait_as_wanted(const std::shared_ptr<Watched>& watched) {
    if ((watched->wanted & CURL_POLL_IN) != 0) wait(watched, Wait::wait_read, watched->reading);
    if ((watched->wanted & CURL_POLL_OUT) != 0) wait(watched, Wait::wait_write, watched->writing);
}

// `waiting` must be a member of `watched`.
void CurlLoop::wait(const std::shared_ptr<Watched>& watched, Wait event, bool& waiting) {
    if (waiting) return;
    waiting = true;
    watched->descriptor.async_wait(event, [this, event, &waiting, weak = std::weak_ptr{watched}](const auto& failed) {
        const auto still = weak.lock();
        if (!still || !still->descriptor.is_open() || failed) return;  // forgotten, perhaps together with this loop
        waiting = false;
        const bool read = event == Wait::wait_read;
        if ((still->wanted & (read ? CURL_POLL_IN : CURL_POLL_OUT)) == 0) return;  // not wanted any more
        act(still->socket, read ? CURL_CSELECT_IN : CURL_CSELECT_OUT);
        if (still->descriptor.is_open()) wait_as_wanted(still);
    });
}

int CurlLoop::on_timer(CURLM*, long milliseconds, void* self) {
    auto& loop = *static_cast<CurlLoop*>(self);
    if (milliseconds < 0) {
        loop.timer_.cancel();
        return 0;
    }
    loop.timer_.expires_after(std::chrono::milliseconds{milliseconds});
    loop.timer_.async_wait([&loop, weak = std::weak_ptr{loop.alive_}](const auto& failed) {
        if (!failed && weak.lock()) loop.act(CURL_SOCKET_TIMEOUT, 0);
    });
    return 0;
}

// The only place where libcurl works. Never resumes a coroutine, which would re-enter libcurl.
void CurlLoop::act(curl_socket_t socket, int events) {
    int running = 0;
    curl_multi_socket_action(multi_.get(), socket, events, &running);
    int left = 0;
    while (const auto* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const auto code = message->data.result;  // the message is freed with the removal
        const auto found = running_.find(message->easy_handle);
        if (found == running_.end()) continue;
        const auto task = found->second;
        if (!task->keeps_connection()) drop(*task);
        task->finish(code);
    }
}

}  // namespace countersign::net
