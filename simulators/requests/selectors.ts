import type { Selectors, ShownSelectors } from '../control/matching.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { keyIn, keysOf, type RequestFacts, type RequestHead } from './request-facts.ts';

/** Whether all selectors match the request. */
export function selects(selectors: Selectors, request: RequestFacts): boolean {
  const { channel, model, path, marker } = selectors;
  if (channel !== undefined && channel !== request.channel) return false;
  if (path !== undefined && !request.path.startsWith(path)) return false;
  if (!headSelects(selectors, request)) return false;
  if (model !== undefined && !modelMatches(model, request.model)) return false;
  return marker === undefined || request.body.includes(marker);
}

/** Whether a model name matches a pattern, in which `*` stands for any characters. */
export function modelMatches(wanted: string, model: string | null): boolean {
  return model !== null && fits(wanted, model);
}

/**
 * Whether a name matches a pattern, in which `*` stands for any characters. A regular expression could be extremely slow with
 * many stars.
 */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** The selectors that need no body: key and header. */
export function headSelects({ key, header }: Pick<Selectors, 'key' | 'header'>, head: RequestHead): boolean {
  if (key !== undefined && !keysOf(head).includes(key)) return false;
  return header === undefined || headerOf(head, header.name, header.value) !== undefined;
}

/** The value of the header. When `value` is given, only a header with that value counts. */
export function headerOf({ headers }: RequestHead, name: string, value?: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(
    ([given, found]) => given.toLowerCase() === wanted && (value === undefined || found === value),
  )?.[1];
}

/** The keys in selectors: given as `key`, or as the value of a header that carries a key. */
export function keysSelected({ key, header }: Pick<Selectors, 'key' | 'header'>): string[] {
  const inHeader = header?.value === undefined ? null : keyIn(header.name, header.value);
  return [key, inHeader].filter((one) => typeof one === 'string');
}

/** The selectors in a form that is safe to show: without the key. */
export function showSelectors({ key, ...open }: Selectors): ShownSelectors {
  return key === undefined ? open : { ...open, key: keyFingerprint(key) };
}
