// SPDX-License-Identifier: Apache-2.0
// The proxy that an agent is told to use: it refuses everything and remembers what was tried.
import http from 'node:http';
import { listen } from './loopback.mjs';

export class RefusingProxy {
    static async start() {
        const proxy = new RefusingProxy();
        const server = http.createServer((request, response) => {
            proxy.attempts.push(`${request.method} ${request.url}`);
            response.writeHead(403).end('refused\n');
        });
        server.on('connect', (request, socket) => {
            proxy.attempts.push(`CONNECT ${request.url}`);
            socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
        });
        proxy.#server = await listen(server);
        proxy.url = `http://127.0.0.1:${proxy.#server.port}`;
        return proxy;
    }

    #server;
    attempts = [];

    close() {
        return this.#server.close();
    }
}
