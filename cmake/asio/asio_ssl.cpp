// SPDX-License-Identifier: Apache-2.0
// The same for TLS.
#include <boost/asio/ssl/impl/src.hpp>
