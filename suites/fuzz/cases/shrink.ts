import {
  isPlainObject,
  type Place,
  partsOf,
  textAt,
  valueAt,
  withoutPlace,
  withValue,
} from '../grammar/body-tree.ts';
import { RawBytes } from '../grammar/raw-json.ts';
import { type FuzzCase, withTree } from './fuzz-case.ts';

/** Whether a smaller request still shows the finding. */
export type StillShows = (one: FuzzCase) => Promise<boolean>;

/** How many smaller requests are tried for one finding. */
export const mostTries = 60;

/**
 * The smallest request that still shows a finding. It removes members and items, largest first, then halves texts and raw
 * bytes. It keeps each step only when the deployment confirms it. Set `keepsDamage` when the finding is that damage was
 * accepted, because the request without damage would be accepted too.
 */
export async function shrink(
  one: FuzzCase,
  stillShows: StillShows,
  { keepsDamage = false, tries = mostTries } = {},
): Promise<FuzzCase> {
  if (one.tree === null) return one;
  let [smallest, left] = [one, tries];
  const kept = damageIn(one, one.tree);
  const attempt = async (tree: unknown): Promise<boolean> => {
    if (left <= 0 || (keepsDamage && damageIn(one, tree) !== kept)) return false;
    const candidate = withTree(smallest, tree);
    if (candidate.request.body.length >= smallest.request.body.length) return false;
    left -= 1;
    if (!(await stillShows(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let progress = true; progress && left > 0; ) {
    progress = false;
    for (const place of removable(smallest.tree)) {
      // An earlier step may have removed or replaced this place.
      if (valueAt(smallest.tree, place) === undefined) continue;
      if (await attempt(withoutPlace(smallest.tree, place))) {
        progress = true;
        break;
      }
    }
  }
  for (const place of cuttable(smallest.tree)) {
    for (;;) {
      const shorter = halved(valueAt(smallest.tree, place));
      if (shorter === undefined || !(await attempt(withValue(smallest.tree, place, shorter)))) break;
    }
  }
  return smallest;
}

/** The values at the damaged places. */
function damageIn({ places }: FuzzCase, tree: unknown): string {
  return places.map((place) => textAt(tree, place)).join(' ');
}

/** Every place of a tree, outer ones first, because removing a large part saves many tries. */
function removable(tree: unknown): Place[] {
  const places: Place[] = [];
  let level: Place[] = [[]];
  while (level.length > 0) {
    const next = level.flatMap((place) =>
      partsOf(valueAt(tree, place)).map(([part]): Place => [...place, part]),
    );
    places.push(...next.slice(0, mostTries));
    level = next.length > mostTries ? [] : next;
  }
  return places;
}

function cuttable(tree: unknown, place: Place = []): Place[] {
  const value = valueAt(tree, place);
  if (typeof value === 'string' || value instanceof RawBytes) return [place];
  return Array.isArray(value) || isPlainObject(value)
    ? [
        ...(Array.isArray(value) && value.length > 8 ? [place] : []),
        ...partsOf(value)
          .slice(0, mostTries)
          .flatMap(([part]) => cuttable(tree, [...place, part])),
      ]
    : [];
}

/** Half of a long value; undefined when the value is short enough to read. */
function halved(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > 32 ? value.slice(0, Math.ceil(value.length / 2)) : undefined;
  if (Array.isArray(value)) return value.length > 8 ? value.slice(0, Math.ceil(value.length / 2)) : undefined;
  return value instanceof RawBytes ? shallower(value) : undefined;
}

/** Nested raw bytes at half the depth. */
function shallower({ bytes, type }: RawBytes): RawBytes | undefined {
  const text = bytes.toString('latin1');
  const [, open = '', inner = '', close = ''] = /^((?:\[|\{"a":)+)(.*?)([\]}]+)$/s.exec(text) ?? [];
  const unit = open.startsWith('[') ? '[' : '{"a":';
  const depth = Math.floor(open.length / unit.length / 2);
  if (depth < 4 || close.length !== open.length / unit.length) return undefined;
  return new RawBytes(unit.repeat(depth) + inner + close.slice(0, depth), type);
}
