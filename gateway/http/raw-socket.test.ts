import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../errors/codes.ts';
import { completion, type FakeUpstream, hang, type Reply } from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { parseRaw, rawExchange } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
const limits = { header_timeout_ms: 600, body_timeout_ms: 600, body_bytes: 4096 };
twoEndsOfFile(startTestGateway, { limits }, (ends) => {
  ({ upstream, gateway } = ends);
});

const chat = '/api/v1/chat/completions';
const auth = `Authorization: Bearer ${testKey}\r\n`;
const head = `POST ${chat} HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\n`;
const body = '{"model":"delta-3","messages":[{"role":"user","content":"hi"}]}';

/** The bytes to send, and the status and code of the only answer. */
const cases: readonly [name: string, bytes: string | string[], status: number, code: string][] = [
  ['garbage', 'garbage\r\n\r\n', 400, 'invalid_param'],
  ['a binary greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_param'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_param'],
  ['an HTTP/0.9 request', 'GET /api/v1/models\r\n\r\n', 400, 'invalid_param'],
  ['an unknown version', 'GET /api/v1/models HTTP/3.7\r\nHost: x\r\n\r\n', 400, 'invalid_param'],
  ['an unknown method', 'BREW /api/v1/models HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_param'],
  ['a lower-case method', 'get /api/v1/models HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_param'],
  ['a missing Host', `GET /api/v1/models HTTP/1.1\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['two Hosts', `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nHost: y\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['an impossible Host', `GET /api/v1/models HTTP/1.1\r\nHost: a b/c\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['a broken percent encoding', `GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 400, 'invalid_param'],
  [
    'an encoding that is no UTF-8',
    `GET /api/v1/%ff HTTP/1.1\r\nHost: x\r\n${auth}\r\n`,
    400,
    'invalid_param',
  ],
  ['a target without slash', `GET api/v1/models HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['a foreign scheme', `GET ftp://x/api/v1/models HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['a space in the target', `GET /api/v1/models x HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 400, 'invalid_param'],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'not_found'],
  ['OPTIONS on a route', `OPTIONS ${chat} HTTP/1.1\r\nHost: x\r\n\r\n`, 405, 'method_not_allowed'],
  ['TRACE', `TRACE ${chat} HTTP/1.1\r\nHost: x\r\n\r\n`, 405, 'method_not_allowed'],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 405, 'method_not_allowed'],
  ['PROPFIND', 'PROPFIND /api/v1/models HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['an unmeetable Expect', `${head}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 400, 'invalid_param'],
  [
    'Content-Length and chunked',
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'invalid_param',
  ],
  ['two different lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'invalid_param'],
  ['a length that is no number', `${head}Content-Length: two\r\n\r\n{}`, 400, 'invalid_param'],
  ['a negative length', `${head}Content-Length: -2\r\n\r\n{}`, 400, 'invalid_param'],
  ['an unknown transfer coding', `${head}Transfer-Encoding: gzip\r\n\r\n{}`, 400, 'invalid_param'],
  [
    'an unknown transfer coding under chunks',
    `${head}Transfer-Encoding: gzip, chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    400,
    'invalid_param',
  ],
  [
    'a bad chunk size',
    `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    400,
    'invalid_param',
  ],
  [
    'a chunk that is longer than it says',
    `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{}}}\r\n0\r\n\r\n`,
    400,
    'invalid_param',
  ],
  ['a NUL in a header', 'GET /api/v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400, 'invalid_param'],
  [
    'a header without colon',
    'GET /api/v1/models HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
    400,
    'invalid_param',
  ],
  ['a space before the colon', 'GET /api/v1/models HTTP/1.1\r\nHost : x\r\n\r\n', 400, 'invalid_param'],
  ['a bare line feed', 'GET /api/v1/models HTTP/1.1\nHost: x\n\n', 400, 'invalid_param'],
  [
    'a header of 17 KiB',
    `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17_408)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['a target of 17 KiB', `GET /${'a'.repeat(17_408)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
  [
    '3,000 headers',
    `GET /api/v1/models HTTP/1.1\r\nHost: x\r\n${'A: bcdef\r\n'.repeat(3000)}\r\n`,
    431,
    'headers_too_large',
  ],
  ['half a header', 'GET /api/v1/models HTTP/1.1\r\nHost: x', 408, 'request_timeout'],
  ['half a body', `${head}Content-Length: 500\r\n\r\n{"model":`, 408, 'request_timeout'],
  ['a compressed body', `${head}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`, 400, 'invalid_param'],
  [
    'a form',
    `POST ${chat} HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b`,
    400,
    'invalid_param',
  ],
  ['no body', `${head}\r\n`, 400, 'invalid_param'],
  [
    'two Authorization headers',
    `GET /api/v1/models HTTP/1.1\r\nHost: x\r\n${auth}${auth}\r\n`,
    401,
    'invalid_api_key',
  ],
  ['dots in the path', `GET /api/v1/../v1/models HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 404, 'not_found'],
  [
    'an encoded letter in the path',
    `GET /api/v1/%6dodels HTTP/1.1\r\nHost: x\r\n${auth}\r\n`,
    404,
    'not_found',
  ],
  ['a backslash in the path', `GET /api\\v1/models HTTP/1.1\r\nHost: x\r\n${auth}\r\n`, 404, 'not_found'],
];

describe('bytes that are no valid request', () => {
  it.for(cases)('get exactly one error in our format: %s', async ([, bytes, status, code]) => {
    const answers = parseRaw(await rawExchange(gateway.port, bytes, 2500));
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
    const row = Object.entries(errorTable).find(([name]) => name === code);
    expect(answers[0]?.json.error).toEqual({
      type: row?.[1].type,
      code,
      message: expect.stringMatching(/\S/),
      channel: null,
      param: null,
    });
    expect(answers[0]?.headers['x-request-id']).toMatch(/^req_/);
  });
});

describe('unusual valid requests', () => {
  const fine: readonly [name: string, bytes: string | string[]][] = [
    ['an absolute-form target', `GET http://x/api/v1/models?a=b HTTP/1.1\r\nHost: x\r\n${auth}\r\n`],
    ['HTTP/1.0 without Host', `GET /api/v1/models HTTP/1.0\r\n${auth}\r\n`],
    [
      'an Upgrade that is not taken',
      `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${auth}\r\n`,
    ],
    [
      'a lower-case scheme and odd header case',
      `GET /api/v1/models HTTP/1.1\r\nhOsT: x\r\naUTHORIZATION: bearer ${testKey}\r\n\r\n`,
    ],
    ['Expect: 100-continue', `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    [
      'a body in many chunks',
      [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...[...body].map((c) => `1\r\n${c}\r\n`), '0\r\n\r\n'],
    ],
    [
      'a body without Content-Type',
      `POST ${chat} HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: ${body.length}\r\n\r\n${body}`,
    ],
  ];
  it.for(fine)('are served: %s', async ([, bytes]) => {
    const closing = [bytes].flat().map((piece) => piece.replace(/host: x\r\n/i, '$&Connection: close\r\n'));
    const text = await rawExchange(gateway.port, closing, 10_000, 5_000);
    expect(text.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a client that closes its side behind its request', () => {
  /** Everything up to the close of the gateway's side. */
  const halfClose = (bytes: string): { answer: Promise<string> } => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(bytes);
    const answer = text(socket);
    answer.catch(() => {});
    return { answer };
  };
  const call = (fields: object = {}, version = '1.1'): string => {
    const sent = JSON.stringify({ ...JSON.parse(body), ...fields });
    return `${head.replace('1.1', version)}Content-Length: ${sent.length}\r\n\r\n${sent}`;
  };
  const get = `GET /api/v1/models HTTP/1.1\r\nHost: x\r\n${auth}\r\n`;
  const held = (): Promise<number> => gateway.app.slots.held('usr');

  it.for<[name: string, bytes: string, statuses: number[], part: string]>([
    ['a read', get, [200], 'alpha-5-2'],
    ['a call', call(), [200], '"finish_reason":"stop"'],
    ['a call of HTTP/1.0', call({}, '1.0'), [200], '"finish_reason":"stop"'],
    ['a stream', call({ stream: true }), [200], '[DONE]'],
    ['a refused call', `${head}Content-Length: 2\r\n\r\n{}`, [400], '"param":"model"'],
    ['two calls', call() + call(), [200, 200], '"finish_reason":"stop"'],
    ['half a call', call().slice(0, -9), [400], 'not valid HTTP'],
  ])('reads the answer to %s', async ([, bytes, statuses, part]) => {
    const answer = await halfClose(bytes).answer;
    const finals = [...answer.matchAll(/^HTTP\/1\.1 ([2-5]\d\d) /gm)].map(([, status]) => Number(status));
    expect(finals).toEqual(statuses);
    expect(answer).toContain(part);
  });

  /** An answer that comes when `go` is called. */
  const late = (): { reply: Reply; go: () => void } => {
    const going = Promise.withResolvers<void>();
    const reply: Reply = async (...exchanged) => {
      await going.promise;
      await completion('late')(...exchanged);
    };
    return { reply, go: () => going.resolve() };
  };

  it.for([false, true])('is answered as soon as its upstream is, streamed: %j', async (stream) => {
    const { reply, go } = late();
    const before = upstream.seen.length;
    upstream.queue.push(reply);
    const { answer } = halfClose(call({ stream }));
    await upstream.waitFor(before + 1);
    setTimeout(go, 1_200);
    expect(await answer).toContain('late');
  });

  it('makes way for another call of its user while it may have left', async () => {
    const { reply, go } = late();
    const before = upstream.seen.length;
    upstream.queue.push(hang, reply, reply, completion('next'));
    const first = halfClose(call({}, '1.0'));
    await upstream.waitFor(before + 1);
    const others = [halfClose(call({}, '1.0')), halfClose(call({}, '1.0'))];
    await upstream.waitFor(before + 3);
    expect(await held()).toBe(3);
    expect(await halfClose(call()).answer).toContain('next');
    expect(await first.answer).toBe('');
    expect(await held()).toBe(2);
    go();
    for (const { answer } of others) expect(await answer).toContain('late');
    expect(await held()).toBe(0);
  });
});

describe('pipelined requests', () => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${auth}\r\n`;
  const getAndClose = `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth}\r\n`;
  /** Collects all answers up to the close, with a generous timeout for loaded machines. */
  const exchange = (bytes: string): Promise<string> => rawExchange(gateway.port, bytes, 5_000, 5_000);

  it('are answered in order', async () => {
    const bytes = get('/api/v1/models') + get('/nowhere') + getAndClose;
    const answers = parseRaw(await exchange(bytes));
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 200]);
  });

  it('are answered up to the broken one', async () => {
    const bytes = `${head}Content-Length: ${body.length}\r\n\r\n${body}garbage\r\n\r\n`;
    const answers = parseRaw(await exchange(bytes));
    expect(answers.map((answer) => answer.status)).toEqual([200, 400]);
  });

  it('keep the connection after a rejected request with a small unread body', async () => {
    const refused = `POST ${chat} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answers = parseRaw(await exchange(refused + getAndClose));
    expect(answers.map((answer) => answer.status)).toEqual([401, 200]);
  });
});

it('does not time a caller out when the test clock jumps while its body arrives', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  const answer = text(socket);
  socket.write(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await gateway.clock.advance(60_000);
  socket.write(body.slice(9));
  expect(parseRaw(await answer)[0]?.status).not.toBe(408);
});
