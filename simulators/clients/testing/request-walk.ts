import type { Member, ObjectShape, Shape } from './request-types.ts';

/** One field of a request type with one of its values, in an otherwise short request. */
export interface FieldCase {
  /** `Type.member` and the value: `Tool.strict: true`. */
  readonly field: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface WalkOptions {
  /** Values of strings and of unknown types, by `Type.member` or `member`; otherwise `x` and an empty object. */
  readonly samples: Readonly<Record<string, unknown>>;
  /** Members that objects of a type always get, by type name: declared optional but in fact required. */
  readonly bases: Readonly<Record<string, object>>;
  /** Types that are not JSON. The client handles them itself. */
  readonly opaque: readonly string[];
}

type Wrap = (value: unknown) => unknown;

/**
 * Every member of every object type below the root, with each of its kinds of value. Each type is visited once, at the place
 * nearest to the root.
 */
export function walkRequest(root: ObjectShape, options: WalkOptions): FieldCase[] {
  const cases: FieldCase[] = [];
  const seen = new Set<number>([root.id]);
  const queue: { shape: ObjectShape; wrap: Wrap }[] = [{ shape: root, wrap: (value) => value }];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const { shape, wrap } = at;
    const shortest = shortestObject(shape, options, []);
    for (const member of shape.members()) {
      const place: Wrap = (value) => wrap({ ...shortest, [member.name]: value });
      for (const { label, value } of valuesOf(member.shape, shape, member, options)) {
        const field = `${shape.name}.${member.name}: ${label}`;
        cases.push({ field, body: place(value) as FieldCase['body'] });
      }
      for (const inner of objectsOf(member.shape, place, options)) {
        if (seen.has(inner.shape.id)) continue;
        seen.add(inner.shape.id);
        queue.push(inner);
      }
    }
  }
  return cases;
}

interface Labelled {
  readonly label: string;
  readonly value: unknown;
}

function valuesOf(shape: Shape, owner: ObjectShape, member: Member, options: WalkOptions): Labelled[] {
  switch (shape.is) {
    case 'one-of':
      return shape.shapes.flatMap((one) => valuesOf(one, owner, member, options));
    case 'list':
      return valuesOf(shape.of, owner, member, options).map(({ label, value }) => ({
        label: `[${label}]`,
        value: [value],
      }));
    case 'map':
      return [{ label: 'map', value: { a: shortest(shape.of, owner, member.name, options, []) } }];
    default:
      if (isOpaque(shape, options)) return [];
      return [{ label: labelOf(shape), value: shortest(shape, owner, member.name, options, []) }];
  }
}

function labelOf(shape: Shape): string {
  if (shape.is === 'literal') return JSON.stringify(shape.value);
  return shape.is === 'object' ? shape.name : shape.is;
}

/** The object types within a value, each with a function that puts such an object into the request. */
function objectsOf(shape: Shape, wrap: Wrap, options: WalkOptions): { shape: ObjectShape; wrap: Wrap }[] {
  switch (shape.is) {
    case 'one-of':
      return shape.shapes.flatMap((one) => objectsOf(one, wrap, options));
    case 'list':
      return objectsOf(shape.of, (value) => wrap([value]), options);
    case 'map':
      return objectsOf(shape.of, (value) => wrap({ a: value }), options);
    case 'object':
      return isOpaque(shape, options) ? [] : [{ shape, wrap }];
    default:
      return [];
  }
}

function isOpaque(shape: Shape, { opaque }: WalkOptions): boolean {
  return shape.is === 'object' && opaque.includes(shape.name);
}

function shortest(
  shape: Shape,
  owner: ObjectShape,
  member: string,
  options: WalkOptions,
  within: readonly number[],
): unknown {
  const sample = options.samples[`${owner.name}.${member}`] ?? options.samples[member];
  switch (shape.is) {
    case 'literal':
      return shape.value;
    case 'string':
      return sample ?? 'x';
    case 'number':
      return typeof sample === 'number' ? sample : 1;
    case 'boolean':
      return true;
    case 'any':
      return sample ?? {};
    case 'list':
      return [shortest(shape.of, owner, member, options, within)];
    case 'map':
      return {};
    case 'one-of': {
      const wanted = shape.shapes.find((one) => one.is === 'literal' && one.value === sample);
      return shortest(wanted ?? firstOf(shape.shapes, within, options), owner, member, options, within);
    }
    case 'object':
      return shortestObject(shape, options, within);
  }
}

/** A plain value where there is one: it keeps requests short. */
function firstOf(shapes: readonly Shape[], within: readonly number[], options: WalkOptions): Shape {
  const rank = (shape: Shape): number => {
    if (shape.is === 'object') return isOpaque(shape, options) || within.includes(shape.id) ? 4 : 2;
    if (shape.is === 'list') return 3;
    return shape.is === 'literal' && shape.value === null ? 1 : 0;
  };
  const [first] = shapes.toSorted((one, other) => rank(one) - rank(other));
  if (first === undefined) throw new Error('a union of nothing');
  return first;
}

function shortestObject(
  shape: ObjectShape,
  options: WalkOptions,
  within: readonly number[],
): Record<string, unknown> {
  if (within.includes(shape.id)) throw new Error(`${shape.name} needs itself`);
  const deeper = [...within, shape.id];
  const required = shape.members().filter(({ isOptional }) => !isOptional);
  return Object.fromEntries([
    ...required.map(({ name, shape: of }) => [name, shortest(of, shape, name, options, deeper)]),
    ...Object.entries(options.bases[shape.name] ?? {}),
  ]);
}
