// SPDX-License-Identifier: Apache-2.0
// Real peers for the network clients: npm's ws and Node's http module. One process, told what to be:
//   node peer.mjs ws   [KEY CERTIFICATE]   a WebSocket server on 127.0.0.1, with TLS if a key is named
//   node peer.mjs unix PATH                one on a unix socket
//   node peer.mjs sse                      an event stream that is cut in the middle of its second event
// Prints its port as soon as it listens. Ends when its stdin does.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { WebSocketServer } from 'ws';

const [kind, ...args] = process.argv.slice(2);

// A text message is a command; anything else is echoed.
function obey(socket, message) {
    const [verb, ...rest] = message.split(' ');
    if (verb === 'close') return socket.close(Number(rest[0]), rest.slice(1).join(' '));
    if (verb === 'terminate') return socket.terminate();
    if (verb === 'binary') return socket.send(Buffer.from([0xff]));
    if (verb === 'size') return socket.send('x'.repeat(Number(rest[0])));
    if (verb === 'ping') {
        socket.once('pong', (payload) => socket.send(`pong ${payload}`));
        return socket.ping(rest[0]);
    }
    if (verb === 'fragments') {
        for (const part of rest) socket.send(part, { fin: false });
        return socket.send('', { fin: true });
    }
    return socket.send(message);
}

function serveWebSockets(server) {
    const sockets = new WebSocketServer({
        server,
        handleProtocols: (offered) => [...offered][0],
        perMessageDeflate: true, // none of our clients offers it
    });
    sockets.on('connection', (socket, request) => {
        let pings = 0;
        socket.on('ping', () => socket.send(`pinged ${++pings}`));
        socket.on('message', (data, binary) => (binary ? socket.close(1003) : obey(socket, data.toString())));
        socket.on('close', (code, reason) => console.log(`closed ${code} ${reason}`));
        socket.send(JSON.stringify({ protocol: socket.protocol, authorization: request.headers.authorization ?? '' }));
    });
    return server;
}

function eventServer() {
    return http.createServer((request, response) => {
        const last = request.headers['last-event-id'];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (last === undefined) {
            response.write('retry: 1\nid: 1\ndata: one\n\nid: 2\nda');
            response.write('ta: cut');
            setImmediate(() => response.destroy());
        } else {
            response.write(`id: 2\ndata: after ${last}\n\n`);
        }
    });
}

const tlsServer = (key, certificate) => https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) });

const servers = {
    ws: () => serveWebSockets(args.length ? tlsServer(...args) : http.createServer()),
    unix: () => serveWebSockets(http.createServer()),
    sse: eventServer,
};
const server = servers[kind]();
if (kind === 'unix') server.listen(args[0], () => console.log(0));
else server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
