/** Bytes that no HTTP client would send. */
export interface BrokenRequest {
  readonly label: string;
  /** One byte a character. */
  readonly bytes: string;
  /** Answers to sound requests before the broken one. */
  readonly served?: number;
  /** Statuses that HTTP allows here beside 4xx. */
  readonly alsoStatuses?: readonly number[];
}

/**
 * Broken requests to a deployment at `host`. Those that HTTP lets a server accept have no key, so they are refused
 * anyway.
 */
export function brokenRequests(host: string, key: string): readonly BrokenRequest[] {
  const get = 'GET /api/v1/models HTTP/1.1\r\n';
  const post = 'POST /api/v1/chat/completions HTTP/1.1\r\n';
  const hosted = `Host: ${host}\r\n`;
  const bearer = `Authorization: Bearer ${key}\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const small = '{"model":5}';
  return [
    { label: 'garbage instead of a request', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n' },
    { label: 'a request line of one word', bytes: 'GARBAGE\r\n\r\n' },
    { label: 'a request line without a target', bytes: `GET HTTP/1.1\r\n${hosted}\r\n` },
    { label: 'HTTP/0.9', bytes: 'GET /api/v1/models\r\n\r\n' },
    { label: 'another protocol', bytes: `GET /api/v1/models HTTQ/1.1\r\n${hosted}\r\n` },
    {
      label: 'a version that does not exist',
      bytes: `GET /api/v1/models HTTP/9.9\r\n${hosted}\r\n`,
      alsoStatuses: [505],
    },
    { label: 'no Host header', bytes: `${get}\r\n` },
    { label: 'two Host headers', bytes: `${get}${hosted}Host: elsewhere.example\r\n\r\n` },
    { label: 'a blank in a header name', bytes: `${get}${hosted}Bad Name: x\r\n\r\n` },
    { label: 'a header without a colon', bytes: `${get}${hosted}nonsense\r\n\r\n` },
    { label: 'NUL in a header', bytes: `${get}${hosted}X-Bad: a\x00b\r\n\r\n` },
    { label: 'a header of 17 KiB', bytes: `${get}${hosted}X-Long: ${'a'.repeat(17 * 1024)}\r\n\r\n` },
    { label: 'a header of 1 MiB', bytes: `${get}${hosted}X-Long: ${'a'.repeat(1024 * 1024)}\r\n\r\n` },
    { label: 'ten thousand headers', bytes: `${get}${hosted}${'X-Many: a\r\n'.repeat(10_000)}\r\n` },
    {
      label: 'a length that is not a number',
      bytes: `${post}${hosted}${bearer}${json}Content-Length: abc\r\n\r\n${small}`,
    },
    {
      label: 'a negative length',
      bytes: `${post}${hosted}${bearer}${json}Content-Length: -1\r\n\r\n${small}`,
    },
    {
      label: 'two different lengths',
      bytes: `${post}${hosted}${bearer}${json}Content-Length: 11\r\nContent-Length: 5\r\n\r\n${small}`,
    },
    {
      label: 'both a length and chunks',
      bytes: `${post}${hosted}${bearer}${json}Content-Length: 5\r\n${chunked}\r\nb\r\n${small}\r\n0\r\n\r\n`,
    },
    {
      label: 'a chunk size that is not a number',
      bytes: `${post}${hosted}${bearer}${json}${chunked}\r\nzz\r\n${small}\r\n0\r\n\r\n`,
    },
    {
      label: 'a chunk longer than its size',
      bytes: `${post}${hosted}${bearer}${json}${chunked}\r\n2\r\n${small}\r\n0\r\n\r\n`,
    },
    {
      label: 'an expectation that no server can meet',
      bytes: `${post}${hosted}Expect: the-moon\r\nContent-Length: 11\r\n\r\n${small}`,
    },
    {
      label: 'a target with broken percent signs',
      bytes: `GET /api/v1/models%zz HTTP/1.1\r\n${hosted}${bearer}Connection: close\r\n\r\n`,
    },
    {
      label: 'a target that is not UTF-8',
      bytes: `GET /api/v1/models%ff%fe HTTP/1.1\r\n${hosted}${bearer}Connection: close\r\n\r\n`,
    },
    {
      label: 'CONNECT',
      bytes: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n',
      alsoStatuses: [501],
    },
    {
      label: 'garbage after a sound request',
      bytes: `${get}${hosted}${bearer}\r\n\x00\x01\x02 garbage\r\n\r\n`,
      served: 1,
    },
  ];
}
