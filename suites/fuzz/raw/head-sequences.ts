import {
  bearer,
  closing,
  get,
  hosted,
  hostSlot,
  post,
  type RawSequence,
  raw,
  small,
} from './raw-sequence.ts';

const open = { expects: 'open' } as const;
const line = (text: string): string => `${text}\r\n${hosted}${bearer}${closing}\r\n`;

/** Malformed request lines. */
const lines: readonly RawSequence[] = [
  raw('a request line of one word', 'GARBAGE\r\n\r\n'),
  raw('a request line without a target', `GET HTTP/1.1\r\n${hosted}\r\n`),
  raw('HTTP/0.9', 'GET /api/v1/models\r\n\r\n'),
  raw('another protocol', line('GET /api/v1/models HTTQ/1.1')),
  raw('version 9.9', line('GET /api/v1/models HTTP/9.9'), { alsoStatuses: [505] }),
  raw('version 2.0', line('GET /api/v1/models HTTP/2.0'), { alsoStatuses: [505] }),
  raw('a version without digits', line('GET /api/v1/models HTTP/a.b'), { alsoStatuses: [505] }),
  raw('HTTP/1.0', line('GET /api/v1/models HTTP/1.0'), open),
  raw('HTTP/1.0 without a host', `GET /api/v1/models HTTP/1.0\r\n${bearer}\r\n`, open),
  raw(
    'HTTP/1.0 that stays open',
    `GET /api/v1/models HTTP/1.0\r\n${hosted}${bearer}Connection: keep-alive\r\n\r\n`,
    open,
  ),
  raw('two blanks in the line', line('GET  /api/v1/models HTTP/1.1'), open),
  raw('a tab in the line', line('GET\t/api/v1/models\tHTTP/1.1'), open),
  raw('a blank in the target', line('GET /api/v1/mod els HTTP/1.1')),
  raw('an unknown method', line('SEA /api/v1/models HTTP/1.1'), { alsoStatuses: [501] }),
  raw('a method in small letters', line('get /api/v1/models HTTP/1.1'), { alsoStatuses: [501] }),
  raw('a method of 5000 letters', line(`${'A'.repeat(5_000)} / HTTP/1.1`), { alsoStatuses: [501] }),
  raw('an absolute target', line(`GET http://${hostSlot}/api/v1/models HTTP/1.1`), open),
  raw(
    'an absolute target of another host',
    line('GET http://elsewhere.example/api/v1/models HTTP/1.1'),
    open,
  ),
  raw('an absolute target of another scheme', line('GET gopher://elsewhere.example/ HTTP/1.1')),
  raw('a target that is a host', line('GET elsewhere.example:80 HTTP/1.1')),
  raw('the target *', line('OPTIONS * HTTP/1.1'), open),
  raw('the target * of a read', line('GET * HTTP/1.1')),
  raw('an empty path', line('GET ? HTTP/1.1')),
  raw('a target of 40 kB', line(`GET /${'t'.repeat(40_000)} HTTP/1.1`)),
  raw('a query of 40 kB', line(`GET /api/v1/models?q=${'t'.repeat(40_000)} HTTP/1.1`)),
  raw('a fragment in the target', line('GET /api/v1/models#top HTTP/1.1'), open),
  raw('broken percent signs', line('GET /api/v1/models%zz HTTP/1.1')),
  raw('a percent sign at the end', line('GET /api/v1/models% HTTP/1.1')),
  raw('an encoded NUL', line('GET /api/v1/tasks/a%00b HTTP/1.1')),
  raw('an encoded line break', line('GET /api/v1/tasks/a%0d%0aX-Sea:%20b HTTP/1.1')),
  raw('encoded bytes that are no UTF-8', line('GET /api/v1/tasks/%ff%fe HTTP/1.1')),
  raw('an encoded slash', line('GET /api/v1%2fmodels HTTP/1.1')),
  raw('dots that lead out', line('GET /../../../../etc/passwd HTTP/1.1')),
  raw('backslashes in the target', line('GET /api\\v1\\models HTTP/1.1')),
  raw('bytes beyond ASCII in the target', Buffer.from(line('GET /api/v1/mod\u00ebls HTTP/1.1'), 'latin1')),
  raw('NUL in the target', line('GET /api/v1/mod\u0000els HTTP/1.1')),
  raw('CONNECT', `CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n`, {
    alsoStatuses: [501],
  }),
  raw('TRACE', line('TRACE /api/v1/models HTTP/1.1'), { alsoStatuses: [501] }),
  raw('empty lines before the request', `\r\n\r\n${line('GET /api/v1/models HTTP/1.1')}`, open),
  raw('line feeds without returns', `GET /api/v1/models HTTP/1.1\nHost: ${hostSlot}\nConnection: close\n\n`),
  raw('returns without line feeds', `GET /api/v1/models HTTP/1.1\rHost: ${hostSlot}\r\r`, { ends: true }),
];

const bare = 'GET /api/v1/models HTTP/1.1\r\n';

/** Malformed header fields. */
const headers: readonly RawSequence[] = [
  raw('no host', `${bare}${bearer}\r\n`),
  raw('two hosts', `${get}Host: elsewhere.example\r\n${bearer}\r\n`),
  raw('an empty host', `${bare}Host:\r\n${bearer}${closing}\r\n`),
  raw('a host that is none', `${bare}Host: a b<>/\r\n${bearer}\r\n`),
  raw('a blank in a name', `${get}Bad Name: x\r\n\r\n`),
  raw('a blank before the colon', `${get}X-Sea : x\r\n\r\n`),
  raw('a header without a colon', `${get}nonsense\r\n\r\n`),
  raw('a header without a name', `${get}: x\r\n\r\n`),
  raw('a folded header', `${get}X-Sea: a\r\n b\r\n${bearer}${closing}\r\n`, open),
  raw('a folded first header', `${bare} Host: x\r\n\r\n`),
  raw('NUL in a header', `${get}X-Bad: a\u0000b\r\n\r\n`),
  raw('a return in a header', `${get}X-Bad: a\rb\r\n\r\n`),
  raw('bytes beyond ASCII in a name', Buffer.from(`${get}X-S\u00ebe: a\r\n\r\n`, 'latin1')),
  raw(
    'bytes beyond ASCII in a value',
    Buffer.from(`${get}X-See: \u00e9\u00ff\r\n${bearer}${closing}\r\n`, 'latin1'),
    open,
  ),
  raw('a header of 17 KiB', `${get}X-Long: ${'a'.repeat(17 * 1024)}\r\n\r\n`),
  raw('a header of 1 MiB', `${get}X-Long: ${'a'.repeat(1024 * 1024)}\r\n\r\n`),
  raw('ten thousand headers', `${get}${'X-Many: a\r\n'.repeat(10_000)}\r\n`),
  raw('two keys that differ', `${get}${bearer}Authorization: Bearer sk-app-other\r\n${closing}\r\n`, open),
  raw('a key of NUL', `${get}Authorization: Bearer \u0000\r\n\r\n`),
  raw('an expectation that no server meets', `${post}Expect: the-moon\r\nContent-Length: 11\r\n\r\n${small}`),
  raw(
    'an upgrade to another protocol',
    `${get}${bearer}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
    open,
  ),
  raw(
    'an upgrade to h2c',
    `${get}${bearer}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    open,
  ),
  raw('a connection that closes the key', `${get}${bearer}Connection: close, Authorization\r\n\r\n`, open),
];

export const headSequences: readonly RawSequence[] = [...lines, ...headers];
