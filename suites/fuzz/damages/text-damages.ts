import { doubtfulUrls, privateHosts } from '../../generators/guarded-hosts.ts';
import { RawBytes } from '../grammar/raw-json.ts';
import { type Damage, type DamageAt, noJson, oneOf, put, replacing, takes } from './damage.ts';

/** Damage of texts: their length, their characters, their bytes, their spelling, and links. */

const text = takes('text');

/** A string whose content is written unescaped. */
const quoted = (inside: string | Buffer): RawBytes =>
  new RawBytes(
    Buffer.concat([Buffer.from('"a'), Buffer.from(inside as string), Buffer.from('z"')]),
    'string',
  );

const unreadable = (inside: string | Buffer): RawBytes =>
  noJson(Buffer.concat([Buffer.from('"a'), Buffer.from(inside as string), Buffer.from('z"')]));

/** Texts that are expensive for regular expressions, or that templates and shells interpret. */
const prone: readonly string[] = [
  `${'a'.repeat(5_000)}!`,
  `${'a,'.repeat(3_000)}`,
  `${' '.repeat(20_000)}x`,
  `data:image/png;base64,${'A'.repeat(20_000)}!`,
  `${'('.repeat(5_000)}${')'.repeat(5_000)}`,
  `https://${'a.'.repeat(2_000)}example.com/`,
  '{{7*7}}<%= 7*7 %>#{7*7}',
  "'; drop table keys; --",
  '$(id) `id` | id ; id',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '%s%n%x%d',
];

export const textDamages: readonly Damage[] = [
  oneOf('blank', text, [' ', '\t\r\n', '\u00a0\u2003', '\u200b']),
  replacing('long', text, () => 'long '.repeat(20_000)),
  oneOf('huge', text, ['h'.repeat(1_000_000), '漢'.repeat(330_000), '\\"'.repeat(250_000)]),
  oneOf('lone surrogate', text, [quoted('\\ud800'), quoted('\\udfff'), quoted('\\udc00\\ud800')]),
  oneOf('NUL', text, [quoted('\\u0000'), '\u0000', '\u0000\u0000\u0000']),
  oneOf('raw control characters', text, [
    unreadable('\n'),
    unreadable('\u0000'),
    unreadable('\u0001\u001f\t'),
  ]),
  oneOf('bytes that are not UTF-8', text, [
    unreadable(Buffer.from([0xff])),
    unreadable(Buffer.from([0xc0, 0x80])),
    unreadable(Buffer.from([0xed, 0xa0, 0x80])),
    unreadable(Buffer.from([0xf5, 0x80, 0x80, 0x80])),
    unreadable(Buffer.from([0xe2, 0x82])),
  ]),
  oneOf('broken escape', text, [
    unreadable('\\u12'),
    unreadable('\\x41'),
    unreadable('\\u{41}'),
    unreadable('\\'),
    unreadable('\\ud8'),
  ]),
  oneOf('odd characters', text, [
    '\uffff\ufffe',
    '\u202e\u2066evil\u2069',
    `a${'\u0301'.repeat(3_000)}`,
    '\ufeffsea',
    '\u2028\u2029',
    '👩‍👩‍👧‍👦'.repeat(500),
  ]),
  oneOf('prone to patterns', text, prone),
  {
    kind: 'another spelling',
    fits: takes('word'),
    apply: (at) => (typeof at.value === 'string' ? put(at, misspelt(at, at.value)) : null),
  },
  oneOf('another word', takes('word'), [
    'zz',
    'auto',
    'null',
    'default',
    'any',
    '[object Object]',
    'undefined',
  ]),
  {
    kind: 'private link',
    fits: takes('link'),
    apply: (at) => {
      const host = at.rng.pick(privateHosts);
      return { ...put(at, `${at.rng.pick(['https', 'http'])}://${host}/sea.jpg`), isPrivateLink: true };
    },
  },
  {
    kind: 'link that parsers differ about',
    fits: takes('link'),
    apply: (at) => ({ ...put(at, at.rng.pick(doubtfulUrls)), isPrivateLink: true }),
  },
  oneOf('no link', takes('link'), [
    'not a url',
    'ftp://media.example.com/sea.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//media.example.com/sea.png',
    'https://',
    'https://:443/sea.png',
    'https://media.example.com:99999/sea.png',
    'https://user:secret@media.example.com/sea.png',
    'gopher://media.example.com:70/1',
    'data:image/png;base64,@@@',
    'data:image/png,abc',
    'data:;base64,',
    `https://media.example.com/${'s'.repeat(70_000)}`,
  ]),
];

function misspelt({ rng }: DamageAt, word: string): string {
  return rng.pick([
    word.toUpperCase() === word ? word.toLowerCase() : word.toUpperCase(),
    `${word} `,
    ` ${word}`,
    `${word}\u0000`,
    word.replace('e', '\u0435').replace('o', '\u043e').replace('1', '\u0661'),
    `${word}${word}`,
    word.slice(0, -1),
  ]);
}
