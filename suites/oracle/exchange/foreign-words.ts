/** A word in a text that only another program can have written. */
export interface ForeignWord {
  readonly word: string;
  /** The kind of program or text that it comes from. */
  readonly what: string;
  /** Whether it describes the service itself and not its network. */
  readonly isInside: boolean;
}

type Pattern = readonly [what: string, pattern: RegExp];

/** Addresses and names of hosts that no caller can reach. */
const addresses: readonly Pattern[] = [
  ['an address', /\b(?:\d{1,3}\.){3}\d{1,3}\b/],
  ['an address', /\[[0-9a-f]*:[0-9a-f:.]+\](?::\d+)?|(?<![\w:])::1\b/i],
  ['a host with its port', /\b(?:localhost|(?:[a-z0-9-]+\.)+[a-z]{2,}):\d{2,5}\b/i],
  ['a private host', /\b[a-z0-9-]+\.(?:internal|svc|cluster\.local|localdomain|lan)\b/i],
];

/** Messages of network libraries, by the language of the gateway. */
const libraries: readonly Pattern[] = [
  ['Go', /\bdial (?:tcp|udp|unix)\b|\bcontext (?:deadline exceeded|canceled)\b|\bnet\/http:|\bhttp2: /],
  [
    'Go',
    /\bi\/o timeout\b|\bno such host\b|\b(?:read|write) tcp\b|\bunexpected EOF\b|: EOF\b(?! while parsing)|\bx509: |\btls: /,
  ],
  ['Go', /\bPost "https?:/],
  ['Python', /\b(?:httpx|httpcore|aiohttp|urllib3|requests\.exceptions|asyncio|anyio|litellm|pydantic)\b/],
  ['Python', /\bMax retries exceeded\b|\[Errno -?\d+\]|\bNoneType\b|\bCannot connect to host\b/],
  ['Node', /\bE(?:CONN[A-Z]+|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT|NOENT|ACCES|PROTO)\b/],
  ['Node', /\bfetch failed\b|\bUND_ERR\w*|\bsocket hang up\b|\bgetaddrinfo\b|\bundici\b|\baxios\b/i],
  ['JavaScript', /\bCannot read propert|\[object \w+\]/],
  [
    'Java',
    /\b(?:java|javax|jakarta|kotlin)\.\w+\.|\borg\.(?:springframework|apache|eclipse)\b|\bCaused by: /,
  ],
  ['Java', /\b(?:io\.netty|reactor\.\w+|okhttp3?|feign)\b|\bConnection prematurely closed\b/],
  [
    'Rust',
    /\b(?:reqwest|hyper|tokio|serde(?:_json)?|h2)::?\b|\bOs \{ code\b|\bos error \d+|\berror sending request\b/,
  ],
  ['Rust', /\berror trying to connect\b|\bcalled `\w+::unwrap|\bthread '.{1,40}' panicked\b/],
  [
    '.NET',
    /\bSystem\.(?:Net|IO|Threading|Text|Exception)\b|\bObject reference not set\b|\bHttpClient\.Timeout\b/,
  ],
  ['Ruby', /\bErrno::|\bNet::\w+|\bFaraday::|\bundefined method\b/],
  ['PHP', /\bcURL error \d+|\bcurl_exec\b|\bGuzzleHttp\b|\bFatal error: /],
  ['Erlang or Elixir', /\{:?(?:error|failed_connect),|\bnxdomain\b|\b(?:Mint|Finch|Req|Tesla)\.\w+/],
  [
    'an operating system',
    /\bconnection (?:refused|reset by peer)\b|\bbroken pipe\b|\bno route to host\b|\bname or service not known\b/i,
  ],
  [
    'an operating system',
    /\bnetwork is unreachable\b|\btemporary failure in name resolution\b|\bself[- ]signed certificate\b/i,
  ],
];

/** Messages of proxies and parsers in front of an upstream, and names of failures in any language. */
const others: readonly Pattern[] = [
  [
    'a proxy',
    /\bupstream connect error\b|\bdisconnect\/reset before headers\b|\breset reason\b|\bno healthy upstream\b(?! channel)/,
  ],
  [
    'a proxy',
    /\bupstream (?:prematurely closed|request timeout)\b|<center>|\bBad Gateway<|\bnginx\b|\bcloudflare\b|\benvoy\b/i,
  ],
  ['a library', /\b[A-Z]\w{1,60}(?:Error|Exception)\b/],
  [
    'a reader of JSON',
    /\bjson: cannot unmarshal\b|\binvalid character '.{1,4}' |\bUnexpected (?:token|end of JSON)\b/,
  ],
  ['a reader of JSON', /\bExpecting value: line \d|\bexpected value at line \d/],
];

/** Texts that only a service's internals write. */
const inside: readonly Pattern[] = [
  [
    'the path of a file',
    /(?:^|[\s'"(:=])(?:\/(?:app|etc|home|opt|root|run|src|srv|tmp|usr|var|workspace)\/|[A-Z]:\\)\w/,
  ],
  [
    'the path of a file',
    /\b[\w-]+\.(?:go|py|rb|rs|java|kt|php|[cm]?[jt]sx?|cs|ex):\d+|File "[^"]+", line \d+/,
  ],
  [
    'a stack trace',
    /(?:\n|\\n)\s*at \S.*:\d+\)?|Traceback \(most recent|\bgoroutine \d+ \[|Stack trace:|\bnode:internal\//,
  ],
  [
    'a store',
    /\b(?:postgres(?:ql)?|pglite|sqlite|mysql|redis|mongodb?|SQLSTATE|duplicate key value|deadlock detected)\b/i,
  ],
];

/**
 * The first foreign word in a failure's text: from a library, an operating system or a proxy, an address, or a file path.
 * Words in `own`, the caller's own text, do not count.
 */
export function foreignWordIn(text: string, own: string): ForeignWord | null {
  const found = firstIn(text, own, inside);
  if (found !== null) return { ...found, isInside: true };
  return libraryWordIn(text, own) ?? outside(firstIn(text, own, [...addresses, ...others]));
}

/** Detects words of libraries only, because header fields may name proxies and public addresses. */
export function libraryWordIn(text: string, own: string): ForeignWord | null {
  return outside(firstIn(text, own, libraries));
}

function outside(found: Found | null): ForeignWord | null {
  return found === null ? null : { ...found, isInside: false };
}

type Found = Omit<ForeignWord, 'isInside'>;

function firstIn(text: string, own: string, patterns: readonly Pattern[]): Found | null {
  for (const [what, pattern] of patterns) {
    const word = pattern.exec(text)?.[0].trim();
    if (word !== undefined && !own.includes(word)) return { word, what };
  }
  return null;
}
