import type { Members } from './members.ts';

/** One difference between the provider and the simulators. */
export interface Difference {
  /** A member, `status`, or `order` for the events of a stream. */
  readonly what: string;
  /** Null where it is missing. */
  readonly live: string | null;
  readonly simulated: string | null;
  /**
   * Who is responsible. `simulators`: they must follow. `provider`: it exceeds the types of its own clients. `optional`: the
   * types allow both.
   */
  readonly blame: 'simulators' | 'provider' | 'optional';
}

/** An answer, reduced to its form. */
export interface Form {
  readonly status: number;
  readonly members: Members;
  /** The labels of a stream's events, without repetitions. */
  readonly order: string;
}

/**
 * Compares the forms of two answers.
 * @param declared members that client libraries declare for the answer; null for errors, which they do not declare
 */
export function compareForms(live: Form, simulated: Form, declared: Members | null): Difference[] {
  const rows: Difference[] = [];
  if (live.status !== simulated.status)
    return [row('status', String(live.status), String(simulated.status), 'simulators')];
  if (live.order !== simulated.order) rows.push(row('order', live.order, simulated.order, 'simulators'));
  for (const path of new Set([...live.members.keys(), ...simulated.members.keys()].toSorted())) {
    // Members below a differing member are skipped.
    const isWithin = rows.some(({ what }) => path.startsWith(`${what}.`) || path.startsWith(`${what}[`));
    const [theirs, ours] = [typesAt(live.members, path), typesAt(simulated.members, path)];
    if (isWithin || isSame(theirs, ours)) continue;
    rows.push(row(path, theirs, ours, blameFor(theirs, ours, declared?.get(path), declared !== null)));
  }
  return rows;
}

function blameFor(
  live: string | null,
  simulated: string | null,
  declared: ReadonlySet<string> | undefined,
  isDeclared: boolean,
): Difference['blame'] {
  if (!isDeclared) return 'simulators';
  const knows = (types: string | null): boolean =>
    types !== null &&
    declared !== undefined &&
    types.split('|').every((type) => declared.has(type) || declared.has('any') || declared.has('map'));
  if (live === null) return knows(simulated) ? 'optional' : 'simulators';
  return knows(live) ? 'simulators' : 'provider';
}

/** Null matches every type: it does not show which other type the member may have. */
function isSame(live: string | null, simulated: string | null): boolean {
  return (
    live === simulated || (live !== null && simulated !== null && (live === 'null' || simulated === 'null'))
  );
}

function typesAt(members: Members, path: string): string | null {
  const types = members.get(path);
  if (types === undefined) return null;
  const some = [...types].filter((type) => type !== 'null').toSorted();
  return some.length === 0 ? 'null' : some.join('|');
}

function row(
  what: string,
  live: string | null,
  simulated: string | null,
  blame: Difference['blame'],
): Difference {
  return { what, live, simulated, blame };
}
