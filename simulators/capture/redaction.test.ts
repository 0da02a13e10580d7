import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../clock.ts';
import { blank } from '../http/secrets.ts';
import { parseUpstream } from '../http/upstream.ts';
import type { Capture } from '../recordings/capture-file.ts';
import { bytesOf } from '../recordings/recorded.ts';
import { startCapture } from './capture-proxy.ts';

const key = 'sk-live/Zx9+Qw2"e';
const cookie = 'session-4711-abcdef';

/** Every form in which a value may appear. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  Buffer.from(secret).toString('hex'),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
];

describe('the capture file', () => {
  it('contains no key and no cookie in any form or place', async () => {
    const said = JSON.stringify({ said: formsOf(key), text: 'the rest', count: 12345678 });
    const { capture, answer } = await captureOf(
      (_, response) => {
        response.setHeader('set-cookie', `id=${cookie}; Path=/; HttpOnly`);
        response.setHeader('x-echo', encodeURIComponent(key));
        response.end(said);
      },
      {
        authorization: `Bearer ${key}`,
        'x-api-key': `${key}-2`,
        'x-goog-api-key': `${key}-3`,
        cookie: `a=${cookie}-4; theme=dark`,
        'x-trace': `of ${key}`,
      },
      `/v1/x?key=${encodeURIComponent(`${key}-5`)}&alt=sse`,
    );
    const file = textOf(capture);
    for (const secret of [key, `${key}-2`, `${key}-5`, cookie]) {
      for (const form of formsOf(secret)) expect(file, form).not.toContain(form);
    }
    expect(file).toContain('Bearer aa-aaaa/');
    expect(file).toContain('the rest');
    expect(answer).toBe(said);
  });

  it('blanks a key that the URL and the answer encode differently', async () => {
    const inLowerCase = encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase());
    const said = formsOf(key).join(' ');
    const { capture } = await captureOf((_, response) => response.end(said), {}, `/v1/x?key=${inLowerCase}`);
    const file = textOf(capture);
    for (const form of formsOf(key)) expect(file, form).not.toContain(form);
  });

  it.each([0, 1, 2])('blanks a key in base64 behind %d other bytes', async (before) => {
    const said = Buffer.from(`${'.'.repeat(before)}${key} and the rest`).toString('base64');
    const { capture } = await captureOf((_, response) => response.end(said), { 'x-api-key': key });
    // The first and the last digit also encode bits of the neighbours.
    const inside = Buffer.from(`${'.'.repeat(before)}${key}`)
      .toString('base64')
      .slice(before + 1, -4);
    expect(said).toContain(inside);
    expect(textOf(capture)).not.toContain(inside);
  });

  it.each([
    'xi-api-key',
    'ocp-apim-subscription-key',
    'x-auth-token',
    'x-amz-security-token',
    'x-functions-key',
  ])('contains nothing of a vendor credential in %s', async (header) => {
    const { capture } = await captureOf((_, response) => response.end(`got ${key}`), { [header]: key });
    expect(textOf(capture)).not.toContain(key);
  });

  it('contains no password from a base64 `user:password`', async () => {
    const basic = Buffer.from('somebody:correct-horse').toString('base64');
    const said = 'correct-horse is wrong';
    const { capture } = await captureOf((_, response) => response.end(said), {
      authorization: `Basic ${basic}`,
    });
    expect(textOf(capture)).not.toContain(basic);
    expect(textOf(capture)).not.toContain('correct-horse');
  });

  it('keeps headers whose names only resemble credentials', async () => {
    const headers = { 'x-ratelimit-limit-tokens': '30000000', 'idempotency-key': 'order-4711' };
    const { capture } = await captureOf((_, response) => response.end(), headers);
    const [exchange] = capture.exchanges;
    for (const header of Object.entries(headers)) expect(exchange?.request.headers).toContainEqual(header);
  });

  it('keeps the length of blanked values, so that the bytes still parse', async () => {
    const said = JSON.stringify({ key, note: `${key} twice ${key}` });
    const { capture } = await captureOf((_, response) => response.end(said), { 'x-api-key': key });
    const whole = Buffer.concat((capture.exchanges[0]?.response.chunks ?? []).map(bytesOf)).toString();
    const body = whole.slice(whole.indexOf('\r\n\r\n') + 4);
    expect(body).toHaveLength(said.length);
    expect(JSON.parse(body)).toEqual({ key: blank(key), note: `${blank(key)} twice ${blank(key)}` });
  });

  it('leaves out an exchange whose compressed answer holds a key', async () => {
    const { capture, answer } = await captureOf(
      (_, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(`your key is ${key}`));
      },
      { 'x-api-key': key },
    );
    expect(capture.exchanges).toEqual([]);
    expect(capture.left_out).toEqual([{ n: 1, reason: 'a secret stands in it where it cannot be blanked' }]);
    expect(answer).not.toBe('');
  });

  it('leaves out an exchange in which a key is split over two chunks', async () => {
    const { capture } = await captureOf(
      (_, response) => {
        response.write(`your key is ${key.slice(0, 9)}`);
        setImmediate(() => response.end(key.slice(9)));
      },
      { 'x-api-key': key },
    );
    expect(capture.left_out).toHaveLength(1);
  });

  it('blanks a short secret in its own place, and keeps the same letters elsewhere', async () => {
    const { capture } = await captureOf((_, response) => response.end('an apple'), { cookie: 'a=p' });
    const [exchange] = capture.exchanges;
    expect(exchange?.request.headers).toContainEqual(['cookie', 'a=a']);
    expect(textOf(capture)).toContain('an apple');
  });
});

describe('blanking', () => {
  it('keeps punctuation, escapes and character classes', () => {
    expect(blank('Ab1-%2F+=\\n\\u00e9"ü')).toBe('Aa1-%1A+=\\n\\u00e9"a');
  });
});

/** Sends one request through a capture. Returns the recording and the bytes that the client received. */
async function captureOf(
  answering: RequestListener,
  headers: Record<string, string>,
  target = '/v1/x',
): Promise<{ capture: Capture; answer: string }> {
  const server = createServer(answering);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const upstream = parseUpstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const capture = await startCapture({ upstream, clock: createClock(), port: 0 });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(capture.url + target, { method: 'POST', headers, agent: false })
      .on('response', resolve)
      .on('error', reject)
      .end(JSON.stringify({ key }));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { capture: await capture.close(), answer: Buffer.concat(chunks).toString() };
}

/** All text of the file, with its base64 decoded. */
function textOf(capture: Capture): string {
  const inside = capture.exchanges.flatMap(({ request: { body }, response }) => [
    bytesOf(body).toString(),
    ...response.chunks.map((chunk) => bytesOf(chunk).toString('latin1')),
  ]);
  return [JSON.stringify(capture), ...inside].join('\n');
}
