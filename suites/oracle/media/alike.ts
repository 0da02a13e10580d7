import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** Parts of an answer by name: the status, each header field, each leaf of the body. */
type Parts = ReadonlyMap<string, string>;

/**
 * The differences of two refusals that should be equal, as `part: one / other`. `controls` are two equivalent answers: parts
 * in which they differ (request ids, times) are ignored. An answer may repeat the id in its request.
 */
export function differences(
  one: Answered,
  other: Answered,
  controls: readonly [Answered, Answered],
): string[] {
  const [first, second] = controls.map(partsOf) as [Parts, Parts];
  const [left, right] = [partsOf(one), partsOf(other)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name) => {
    if (first.get(name) !== second.get(name)) return [];
    const [a, b] = [left.get(name), right.get(name)];
    return a === b ? [] : [`${name}: ${a ?? 'none'} / ${b ?? 'none'}`];
  });
}

/** An answer, with the requested id. */
export interface Answered {
  readonly id: string;
  readonly exchange: Exchange;
}

function partsOf({ id, exchange }: Answered): Parts {
  const parts = new Map<string, string>();
  const { response } = exchange;
  if (response === null) return new Map([['answer', exchange.error ?? 'none']]);
  const plain = (text: string): string =>
    text.replaceAll(id, '$ID').replaceAll(encodeURIComponent(id), '$ID');
  parts.set('status', String(response.status));
  for (const [name, value] of response.headers) {
    // Headers that only describe the connection are ignored.
    if (!/^(?:date|connection|keep-alive)$/i.test(name)) parts.set(name.toLowerCase(), plain(value));
  }
  const body = jsonOf(exchange);
  if (body === undefined) parts.set('body', plain(response.body.toString('utf8')));
  else for (const [path, leaf] of leavesOf(body, 'body')) parts.set(path, plain(leaf));
  return parts;
}

function leavesOf(value: unknown, path: string): [string, string][] {
  if (value === null || typeof value !== 'object') return [[path, JSON.stringify(value) ?? '']];
  const members = Object.entries(value);
  if (members.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return members.flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`));
}

/** The median of some numbers. */
export function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
