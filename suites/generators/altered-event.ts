import fc from 'fast-check';
import { eventHeaders, type SignedContent } from '../oracle/webhooks/sign.ts';

/** One alteration of an event on its way to a receiver. `place` and `bit` select the bit to flip. */
export type Alteration =
  | {
      readonly what: 'flip';
      readonly part: 'id' | 'timestamp' | 'body' | 'signature';
      readonly place: number;
      readonly bit: number;
    }
  | { readonly what: (typeof wholeAlterations)[number] };

/** The alterations other than a flipped bit. */
export const wholeAlterations = [
  'no-signature',
  'no-id',
  'no-timestamp',
  'other-secret',
  'empty-signature',
] as const;

export const alterations: fc.Arbitrary<Alteration> = fc.record({
  what: fc.constant('flip' as const),
  part: fc.constantFrom('id', 'timestamp', 'body', 'signature'),
  place: fc.nat({ max: 10_000 }),
  bit: fc.nat({ max: 6 }),
});

interface Wire {
  readonly headers: [string, string][];
  readonly body: Buffer;
}

/** A secret that no receiver has. */
const otherSecret = `whsec_${Buffer.alloc(32, 0x5a).toString('base64')}`;

/** The event with this alteration. */
export function altered(event: SignedContent, headers: [string, string][], alteration: Alteration): Wire {
  const body = Buffer.from(event.body);
  const without = (name: string): [string, string][] => headers.filter(([key]) => key !== name);
  switch (alteration.what) {
    case 'no-signature':
      return { headers: without('webhook-signature'), body };
    case 'no-id':
      return { headers: without('webhook-id'), body };
    case 'no-timestamp':
      return { headers: without('webhook-timestamp'), body };
    case 'empty-signature':
      return { headers: [...without('webhook-signature'), ['webhook-signature', 'v1,']], body };
    case 'other-secret':
      return { headers: eventHeaders([otherSecret], event), body };
    case 'flip':
      return flipped({ headers, body }, alteration);
  }
}

const headerOf = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

function flipped({ headers, body }: Wire, { part, place, bit }: Extract<Alteration, { what: 'flip' }>): Wire {
  if (part === 'body') {
    const at = place % body.length;
    body[at] = (body[at] ?? 0) ^ (1 << bit);
    return { headers, body };
  }
  const name = headerOf[part];
  return {
    headers: headers.map(([key, value]) => [key, key === name ? flippedText(value, place, bit) : value]),
    body,
  };
}

/** Flips one bit of a character so that the text stays legal in a header and its meaning changes. */
function flippedText(text: string, place: number, bit: number): string {
  // The last base64 character has unused bits, and padding has only unused bits. Flips there would change nothing.
  const length = text.endsWith('=') ? text.length - 2 : text.length;
  const at = place % length;
  for (let tried = 0; tried < 7; tried += 1) {
    const code = text.charCodeAt(at) ^ (1 << ((bit + tried) % 7));
    if (code > 0x20 && code < 0x7f) return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
  }
  return `${text}x`;
}
