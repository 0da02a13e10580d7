import { changed, isPlainObject, valueAt, withValue } from '../grammar/body-tree.ts';
import { MemberList, printBody, RawBytes } from '../grammar/raw-json.ts';
import { anyField, type Damage, type DamageAt, type Damaged, noJson } from './damage.ts';

/** Damage of the JSON text at one field, which every parser must reject. */
export const syntaxDamages: readonly Damage[] = [
  aroundValue('no JSON after it', (value) => [value, Buffer.from(' garbage')]),
  aroundValue('two values', (value) => [value, Buffer.from(' '), value]),
  aroundValue('a comma too many', (value) => [value, Buffer.from(',')]),
  aroundValue('a comment', (value) => [Buffer.from('/* sea */'), value]),
  aroundValue('a tag of another format', (value) => [Buffer.from('!!binary '), value]),
  {
    kind: 'name without quotes',
    fits: anyField,
    apply: (at) => spelled(at, (name) => name),
  },
  {
    kind: 'name in single quotes',
    fits: anyField,
    apply: (at) => spelled(at, (name) => `'${name}'`),
  },
  {
    kind: 'name with an escape',
    fits: anyField,
    apply: (at) => escaped(at),
  },
  {
    kind: 'cut off here',
    fits: anyField,
    apply: ({ body, place, value, rng }) => {
      const marked = printBody(withValue(body, place, new RawBytes('\u0001', 'null')));
      const at = marked.indexOf('\u0001');
      const kept = printBody(value).subarray(0, rng.pick([0, 1, 2]));
      return {
        body: noJson(Buffer.concat([marked.subarray(0, at), kept])),
        certainty: 'refuse',
        isNamed: false,
      };
    },
  },
];

function aroundValue(kind: string, around: (value: Buffer) => readonly Buffer[]): Damage {
  return {
    kind,
    fits: anyField,
    apply: ({ body, place, value }) => ({
      body: withValue(body, place, noJson(Buffer.concat(around(printBody(value))))),
      certainty: 'refuse',
      isNamed: false,
    }),
  };
}

function spelled(at: DamageAt, spell: (name: string) => string): Damaged | null {
  const body = withName(at, (name) => noJson(spell(name)));
  return body === null ? null : { body, certainty: 'refuse', isNamed: false };
}

/** Escapes a member's name. A parser reads the same name, a byte search does not, and the body stays legal. */
function escaped(at: DamageAt): Damaged | null {
  const body = withName(at, (name) => {
    const code = name.charCodeAt(0).toString(16).padStart(4, '0');
    return new RawBytes(`"\\u${code}${name.slice(1)}"`, 'string');
  });
  return body === null ? null : { body, certainty: 'open', isNamed: false };
}

function withName({ body, place }: DamageAt, spell: (name: string) => RawBytes): unknown {
  const [name, parent] = [place.at(-1), place.slice(0, -1)];
  const object = valueAt(body, parent);
  if (typeof name !== 'string' || !isPlainObject(object) || !Object.hasOwn(object, name)) return null;
  return changed(
    body,
    parent,
    () =>
      new MemberList(
        Object.entries(object).map(([own, value]) => [own === name ? spell(own) : own, value] as const),
      ),
  );
}
