// SPDX-License-Identifier: Apache-2.0
// Servers that listen on a free port of 127.0.0.1 and end at once when told.
export async function listen(server, port = 0) {
    const sockets = new Set();
    server.on('connection', (socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    });
    await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const close = () =>
        new Promise((resolve) => {
            server.close(resolve);
            sockets.forEach((socket) => socket.destroy());
        });
    return { port: server.address().port, close };
}

// The whole body of a request, or null if it is longer than `most` bytes.
export async function bytesOf(request, most = Infinity) {
    const parts = [];
    let size = 0;
    for await (const part of request) {
        size += part.length;
        if (size > most) return null;
        parts.push(part);
    }
    return Buffer.concat(parts);
}
