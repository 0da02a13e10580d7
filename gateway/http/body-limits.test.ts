import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { parseRaw, rawExchange } from '../testing/wire.ts';

const limit = 2048;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, { limits: { body_bytes: limit } }, (ends) => {
  ({ gateway } = ends);
});

/** A valid chat body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ model: 'delta-3', messages: [{ role: 'user', content: '' }] });
  return empty.replace('""', `"${'a'.repeat(bytes - empty.length)}"`);
}

function post(body: string, framing: 'length' | 'chunked'): string {
  const head = `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n`;
  if (framing === 'length') return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunks = body.match(/[\s\S]{1,500}/g) ?? [];
  const encoded = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `${head}Transfer-Encoding: chunked\r\n\r\n${encoded}0\r\n\r\n`;
}

describe.for(['length', 'chunked'] as const)('a body with %s framing', (framing) => {
  it('is accepted at the limit', async () => {
    const [answer] = parseRaw(await rawExchange(gateway.port, post(bodyOf(limit), framing)));
    expect(answer?.status).toBe(200);
  });

  it('is refused one byte above it', async () => {
    const [answer] = parseRaw(await rawExchange(gateway.port, post(bodyOf(limit + 1), framing)));
    expect(answer).toMatchObject({
      status: 413,
      json: { error: { code: 'payload_too_large', param: null } },
    });
  });
});

it('answers a client that is still sending, and closes the connection', async () => {
  const huge = 30 * 1024 * 1024;
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    // The connection may break for the client while it is still sending.
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    socket.on('end', () => {
      socket.destroy();
      resolve(text);
    });
    socket.write(
      `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Length: ${huge}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(4 * 1024 * 1024, 0x61));
  });
  expect(parseRaw(answer)).toMatchObject([{ status: 413, headers: { connection: 'close' } }]);
});

it('sends no 100 Continue for a body that is declared too large', async () => {
  const text = await rawExchange(
    gateway.port,
    `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nExpect: 100-continue\r\nContent-Length: 999999\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1.1 413 /);
});
