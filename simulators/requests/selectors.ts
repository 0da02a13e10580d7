import { z } from 'zod';
import type { Selectors, ShownSelectors } from '../control/arming.ts';
import { fingerprintOf } from '../state/redaction.ts';
import { keyIn, keysOf, type RequestFacts, type RequestHead } from './request-facts.ts';

const text = z.string().min(1).max(4096);

/** Short keys would be found in everything that is shown. */
export const keySelector = z
  .string()
  .min(8, 'a key has at least 8 characters')
  .max(4096)
  .refine((key) => key.isWellFormed(), 'half of a surrogate pair is in no key');

export const headerSelector = z
  .strictObject({ name: text, value: text.exactOptional() })
  .superRefine((header, context) => {
    const [key] = keysSelected({ header });
    for (const { message } of key === undefined ? [] : (keySelector.safeParse(key).error?.issues ?? [])) {
      context.addIssue({ code: 'custom', path: ['value'], message });
    }
  });

/** Selectors, strict. None at all select every request. */
export const selectorsSchema: z.ZodType<Selectors> = z.strictObject({
  channel: text.exactOptional(),
  model: text.exactOptional(),
  key: keySelector.exactOptional(),
  path: text.exactOptional(),
  marker: text.exactOptional(),
  header: headerSelector.exactOptional(),
});

/** Whether all of them hold for the request. */
export function selects(selectors: Selectors, request: RequestFacts): boolean {
  const { channel, model, path, marker } = selectors;
  if (channel !== undefined && channel !== request.channel) return false;
  if (path !== undefined && !request.path.startsWith(path)) return false;
  if (!headSelects(selectors, request)) return false;
  if (model !== undefined && model !== request.model) return false;
  return marker === undefined || request.body.includes(marker);
}

/** The part that needs no body: key and header. */
export function headSelects({ key, header }: Pick<Selectors, 'key' | 'header'>, head: RequestHead): boolean {
  if (key !== undefined && !keysOf(head).includes(key)) return false;
  return header === undefined || headerOf(head, header.name, header.value) !== undefined;
}

/** The value of the header; with a value, only when it is that one. */
export function headerOf({ headers }: RequestHead, name: string, value?: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(
    ([given, found]) => given.toLowerCase() === wanted && (value === undefined || found === value),
  )?.[1];
}

/** The keys that are told by selectors: by name, or as the value of a header that carries one. */
export function keysSelected({ key, header }: Pick<Selectors, 'key' | 'header'>): string[] {
  const inHeader = header?.value === undefined ? null : keyIn(header.name, header.value);
  return [key, inHeader].filter((told) => typeof told === 'string');
}

/** As they may be shown: without the key. */
export function showSelectors({ key, ...open }: Selectors): ShownSelectors {
  return key === undefined ? open : { ...open, key: fingerprintOf(key) };
}
