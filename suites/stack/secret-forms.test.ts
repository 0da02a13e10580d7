import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leaksIn, secretForms } from './testing/secret-forms.ts';

const secret = fc
  .string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 40 })
  .map((text) => `sk-${text}`);
const around = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));

const travelled: Record<string, (text: string, before: Buffer, after: Buffer) => string | Buffer> = {
  raw: (text, before, after) => Buffer.concat([before, Buffer.from(text), after]),
  base64: (text, before, after) => Buffer.concat([before, Buffer.from(text), after]).toString('base64'),
  base64url: (text, before, after) => Buffer.concat([before, Buffer.from(text), after]).toString('base64url'),
  hexadecimal: (text, before, after) => Buffer.concat([before, Buffer.from(text), after]).toString('hex'),
  JSON: (text) => JSON.stringify({ key: `Bearer ${text}!` }),
  'JSON in JSON': (text) => JSON.stringify({ body: JSON.stringify({ key: text }) }),
  'an address': (text) => `/x?key=${encodeURIComponent(text)}&alt=sse`,
  'a form': (text) => new URLSearchParams({ a: 'b', key: text }).toString(),
};

it.for(Object.keys(travelled))('finds a secret that travelled in %s', (name) => {
  fc.assert(
    fc.property(secret, around, around, (text, before, after) => {
      const place = travelled[name]?.(text, before, after) ?? '';
      expect(leaksIn({ place }, { it: text })).not.toEqual([]);
    }),
  );
});

it('finds nothing in a text with another secret', () => {
  fc.assert(
    fc.property(secret, (text) => {
      const other = `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`;
      const place = secretForms(other)
        .filter(({ name }) => !name.includes('base64'))
        .map(({ form }) => form)
        .join('\n');
      const found = leaksIn({ place }, { it: text });
      expect(found.filter((leak) => !leak.includes('base64'))).toEqual([]);
    }),
  );
});
