import { expect, it } from 'vitest';
import { BadSecret, readSecrets } from './secrets.ts';

const secret = (bytes: string): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

it('reads secrets between blanks, in their order', () => {
  const [a, b] = ['sixteen bytes, a', 'sixteen bytes, b'];
  expect(readSecrets(` ${secret(a)}  ${secret(b)}\n`).map((key) => Buffer.from(key).toString())).toEqual([
    a,
    b,
  ]);
  expect(readSecrets(' ')).toEqual([]);
});

it.each([
  ['my-own-secret', 'secret 1 is not whsec_ and base64'],
  ['whsec_', 'secret 1 is not whsec_ and base64'],
  ['whsec_AAA-', 'secret 1 is not whsec_ and base64'],
  [
    `${secret('sixteen bytes, a')} ${secret('fifteen bytes..')}`,
    'secret 2 has 15 bytes; at least 16 are needed',
  ],
])('refuses secrets that cannot be used without showing them: %#', (text, message) => {
  expect(() => readSecrets(text)).toThrow(BadSecret);
  expect(() => readSecrets(text)).toThrow(new RegExp(`^${message}$`));
});
