/** A mutant for a group in the second round, and the checks that reach it. */
export interface Member {
  readonly id: string;
  readonly file: string;
  readonly checks: ReadonlySet<string>;
}

/**
 * Groups mutants for shared gateways. Two mutants of one file are never grouped: their patches could collide, and their
 * failures would be hard to separate. Mutants that many checks reach are grouped first, so that the other gateways have few
 * checks to run.
 */
export function putTogether<T extends Member>(members: readonly T[], most: number): T[][] {
  const groups: T[][] = [];
  for (const member of members.toSorted((a, b) => b.checks.size - a.checks.size)) {
    const group = groups.find(
      (others) => others.length < most && others.every(({ file }) => file !== member.file),
    );
    if (group === undefined) groups.push([member]);
    else group.push(member);
  }
  return groups;
}

/** Two halves, for a group that does not start. */
export function halves<T>(group: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

/** A check that failed on several mutants together, and the mutants that may be the cause. */
export interface Accusation<T> {
  readonly check: string;
  /** The likeliest first: most of the checks that reach it have failed. */
  readonly suspects: readonly T[];
}

/**
 * The failures to follow up: in order, those whose suspects no other failure accuses already. One mutant fails many checks;
 * the others' results are checked again once it is removed.
 */
export function accusationsOf<T extends Member>(
  failed: readonly string[],
  members: readonly T[],
): Accusation<T>[] {
  const shareOf = ({ checks }: T): number => failed.filter((id) => checks.has(id)).length / checks.size;
  const accused = new Set<string>();
  const accusations: Accusation<T>[] = [];
  for (const check of failed) {
    const suspects = members.filter(({ checks }) => checks.has(check));
    if (suspects.length === 0 || suspects.some(({ id }) => accused.has(id))) continue;
    for (const { id } of suspects) accused.add(id);
    accusations.push({ check, suspects: suspects.toSorted((a, b) => shareOf(b) - shareOf(a)) });
  }
  return accusations;
}

/** The results of a group by check, while its members are removed. */
export class GroupRecord<T extends Member> {
  /** Members that no check has killed. */
  left: readonly T[];
  readonly #settled = new Set<string>();

  constructor(members: readonly T[]) {
    this.left = members;
  }

  /** The unsettled checks that reach a member, in the order of all checks. */
  todo(all: readonly string[]): string[] {
    return all.filter((id) => !this.#settled.has(id) && this.left.some(({ checks }) => checks.has(id)));
  }

  /** Marks a check as settled: it passed on all together, or on each member that it reaches alone. */
  settle(check: string): void {
    this.#settled.add(check);
  }

  /** Removes a member. The checks that reach it must run again, since it may have hidden the others. */
  remove(member: T): void {
    this.left = this.left.filter((one) => one !== member);
    for (const check of member.checks) this.#settled.delete(check);
  }

  /** Number of settled checks of a member. */
  judgedOn({ checks }: T): number {
    return [...checks].filter((id) => this.#settled.has(id)).length;
  }
}
