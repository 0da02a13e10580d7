/** Headers in their order, with names in the sender's case. */
export type HeaderList = readonly (readonly [string, string])[];

/** Headers that belong to one connection, not to the message. Each hop writes its own. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Header lists of Node and undici: name, value, name, value … */
export function headerPairs(raw: readonly (string | Buffer)[]): [string, string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    found.push([textOf(raw[index] ?? ''), textOf(raw[index + 1] ?? '')]);
  }
  return found;
}

/** The headers that a proxy passes on: all except hop-by-hop headers and those that Connection names. */
export function endToEnd(headers: HeaderList): [string, string][] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const dropped = new Set([...hopByHop, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase())).map(([name, value]) => [name, value]);
}

/** The values of a header, joined with commas as HTTP allows; an empty text when it is missing. */
export function headerOf(headers: HeaderList, name: string): string {
  return headers
    .filter(([known]) => known.toLowerCase() === name)
    .map(([, value]) => value)
    .join(', ');
}

export function withoutHeaders(headers: HeaderList, ...names: readonly string[]): [string, string][] {
  return headers
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .map(([name, value]) => [name, value]);
}

/** Sets a header in its old place and case, or at the end. */
export function withHeader(headers: HeaderList, name: string, value: string): [string, string][] {
  const known = headers.find(([candidate]) => candidate.toLowerCase() === name);
  if (known === undefined) return [...withoutHeaders(headers), [name, value]];
  return headers
    .filter((pair) => pair === known || pair[0].toLowerCase() !== name)
    .map((pair) => (pair === known ? [pair[0], value] : [pair[0], pair[1]]));
}

export function isEventStream(headers: HeaderList): boolean {
  return headerOf(headers, 'content-type').trim().toLowerCase().startsWith('text/event-stream');
}

/** Whether these headers accept gzip. A missing Accept-Encoding means no. */
export function acceptsGzip(headers: HeaderList): boolean {
  return headerOf(headers, 'accept-encoding')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .some((coding) => /^(?:gzip|\*)(?:\s*;|$)/.test(coding) && !/;\s*q=0(?:\.0*)?$/.test(coding));
}

/** Header values are bytes. Latin-1 preserves each of them, and both ends write it back unchanged. */
function textOf(value: string | Buffer): string {
  return typeof value === 'string' ? value : value.toString('latin1');
}
