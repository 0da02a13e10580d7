import { absent } from '../../oracle/json-text.ts';
import { isPlainObject, valueAt, withMember, withoutPlace, withValue } from '../grammar/body-tree.ts';
import { type JsonType, jsonTypeOf, MemberList, RawBytes } from '../grammar/raw-json.ts';
import {
  anyField,
  type Damage,
  type DamageAt,
  type Damaged,
  oneOf,
  put,
  replacing,
  takes,
} from './damage.ts';
import { booleanDamages, listDamages, numberDamages } from './number-damages.ts';
import { syntaxDamages } from './syntax-damages.ts';
import { textDamages } from './text-damages.ts';

/** Damage of any value: its absence, type, depth and neighbours. */

const samples: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  number: [7, 0, 0.5],
  string: ['seven', '7', 'true'],
  list: [[7], ['seven'], [{}]],
  object: [{ zz: 7 }, { type: 'zz' }],
};

const nested = (depth: number, [open, close]: readonly [string, string], type: JsonType): RawBytes =>
  new RawBytes(`${open.repeat(depth)}7${close.repeat(depth)}`, type);

const lists = ['[', ']'] as const;
const objects = ['{"a":', '}'] as const;

const manyMembers = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`zz${index}`, 'v']));

export const valueDamages: readonly Damage[] = [
  {
    kind: 'missing',
    fits: anyField,
    apply: ({ body, place, field, known }) => ({
      body: withoutPlace(body, place),
      // Removing an item of a list just leaves a shorter list.
      certainty: typeof place.at(-1) === 'number' ? 'open' : known.certaintyOf(field, absent),
      isNamed: true,
    }),
  },
  oneOf('null', anyField, [null]),
  replacing('wrong type', anyField, ({ value, rng }) => {
    const own = jsonTypeOf(value);
    const others = Object.entries(samples).filter(([type]) => type !== own && type !== 'null');
    return rng.pick(rng.pick(others)[1]);
  }),
  {
    kind: 'refused by the tables',
    fits: anyField,
    apply: (at) => {
      const refused = at.known.refused(at.field.name);
      if (refused.length === 0) return null;
      const { value, beside = {} } = at.rng.pick(refused);
      const body = Object.entries(beside).reduce(
        (inner, [name, own]) => withValue(inner, [name], own),
        at.body,
      );
      return put({ ...at, body }, value);
    },
  },
  oneOf('empty', anyField, ['', [], {}]),
  oneOf('wrapped', anyField, [[[]], [{}], { value: [] }, [[[[7]]]]]),
  oneOf('deep', anyField, [nested(200, lists, 'list'), nested(200, objects, 'object')]),
  oneOf('very deep', anyField, [
    nested(10_000, lists, 'list'),
    nested(5_000, objects, 'object'),
    nested(60_000, lists, 'list'),
  ]),
  {
    kind: 'twice, the same',
    fits: anyField,
    apply: (at) => twice(at, (value) => value),
  },
  {
    kind: 'twice, another first',
    fits: anyField,
    apply: (at) => twice(at, () => at.rng.pick([7, 'seven', null, [], {}])),
  },
  {
    kind: 'unknown member beside',
    fits: anyField,
    apply: (at) => beside(at, 'zz_unknown', at.rng.pick([7, 'x', {}, null])),
  },
  {
    kind: 'member of objects beside',
    fits: anyField,
    apply: (at) =>
      beside(at, at.rng.pick(['__proto__', 'constructor', 'toString', 'hasOwnProperty']), { model: 7 }),
  },
  {
    kind: 'very long name beside',
    fits: anyField,
    apply: (at) => beside(at, 'n'.repeat(at.rng.pick([300, 65_536])), 7),
  },
  {
    kind: 'many members beside',
    fits: anyField,
    apply: (at) => {
      const parent = at.place.slice(0, -1);
      const object = valueAt(at.body, parent);
      if (!isPlainObject(object)) return null;
      return {
        body: withValue(at.body, parent, { ...object, ...manyMembers }),
        certainty: 'open',
        isNamed: false,
      };
    },
  },
  {
    kind: 'other case of its name',
    fits: anyField,
    apply: (at) => renamed(at, (name) => name.toUpperCase()),
  },
  {
    kind: 'many members within',
    fits: takes('object'),
    apply: (at) => put(at, manyMembers),
  },
];

/** Writes the member twice in its object. Parsers differ in reading that, so nothing is certain. */
function twice({ body, place }: DamageAt, first: (value: unknown) => unknown): Damaged | null {
  const [name, parent] = [place.at(-1), place.slice(0, -1)];
  const object = valueAt(body, parent);
  if (typeof name !== 'string' || !isPlainObject(object)) return null;
  const members = Object.entries(object).flatMap(([own, value]): [string, unknown][] =>
    own === name
      ? [
          [own, first(value)],
          [own, value],
        ]
      : [[own, value]],
  );
  if (members.length === Object.keys(object).length) return null;
  return { body: withValue(body, parent, new MemberList(members)), certainty: 'open', isNamed: false };
}

function beside({ body, place }: DamageAt, name: string, value: unknown): Damaged | null {
  const parent = place.slice(0, -1);
  const object = valueAt(body, parent);
  if (!isPlainObject(object)) return null;
  return {
    body: withValue(body, parent, withMember(object, name, value)),
    certainty: 'open',
    isNamed: false,
  };
}

function renamed({ body, place }: DamageAt, rename: (name: string) => string): Damaged | null {
  const [name, parent] = [place.at(-1), place.slice(0, -1)];
  const object = valueAt(body, parent);
  if (typeof name !== 'string' || !isPlainObject(object)) return null;
  const members = Object.entries(object).map(([own, value]) => [own === name ? rename(own) : own, value]);
  return { body: withValue(body, parent, Object.fromEntries(members)), certainty: 'open', isNamed: false };
}

/** Every kind of damage that a field of a body can have. */
export const bodyDamages: readonly Damage[] = [
  ...valueDamages,
  ...textDamages,
  ...numberDamages,
  ...booleanDamages,
  ...listDamages,
  ...syntaxDamages,
];
