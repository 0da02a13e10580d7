import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { piecesFor, plainFor } from '../crash/native-answers.ts';
import { pngOf } from '../native-media.ts';

// Forked by short-upstream.ts. Accepts bodies of any size without reading them, and answers briefly in each dialect, so that
// a benchmark measures the gateway.

const picture = { created: 1, data: [{ base64: pngOf(8, 8).toString('base64') }] };
const streamMark = Buffer.from('"stream":true');

function answerTo(path: string): object {
  if (path.includes('/jobs')) return { id: 'job_1', status: 'queued' };
  return path.endsWith('/images/generations') ? picture : plainFor(path, 1);
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (path.includes(':streamGenerateContent') || Buffer.concat(chunks).includes(streamMark)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(piecesFor(path, 1).join(''));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answerTo(path)));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
