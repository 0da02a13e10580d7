import { createServer } from 'node:http';
import { Pool } from 'undici';

// The upper limit for a gateway on Node: node:http and undici, with nothing in between.

const [upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 256, pipelining: 1 });
const kept = ['content-type', 'content-length'];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    pool.dispatch(
      {
        path: request.url ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(parts),
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status, headers) => {
          response.writeHead(
            status,
            Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name))),
          );
        },
        onResponseData: (_controller, chunk) => void response.write(chunk),
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    );
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
