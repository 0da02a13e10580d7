/** A mutant that the second look may put into one gateway with others, and the checks that reach it. */
export interface Member {
  readonly id: string;
  readonly file: string;
  readonly checks: ReadonlySet<string>;
}

/**
 * Whom a gateway gets together. Never two of one file: neither can take the other's lines away, and what they break lies
 * apart. Those that many checks reach come together first, so that the gateways of the others have few to run.
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

/** Two halves, for a group that does not get up. */
export function halves<T>(group: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

/** A check that failed on several mutants together, and those of them that may be why. */
export interface Accusation<T> {
  readonly check: string;
  /** The likeliest first: of what reaches it, the most has failed. */
  readonly suspects: readonly T[];
}

/**
 * Which failures to follow up: in the order in which they came, those whose suspects no other accuses already. One mutant
 * fails many checks; what the others say is asked again once it is out.
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

/** What has been judged on a group, check by check, as its members go. */
export class GroupRecord<T extends Member> {
  /** Those that no check has killed. */
  left: readonly T[];
  readonly #settled = new Set<string>();

  constructor(members: readonly T[]) {
    this.left = members;
  }

  /** Of all checks in their order, those that reach a member and are not settled. */
  todo(all: readonly string[]): string[] {
    return all.filter((id) => !this.#settled.has(id) && this.left.some(({ checks }) => checks.has(id)));
  }

  /** The check passed on all together, or on each of those that it reaches alone. */
  settle(check: string): void {
    this.#settled.add(check);
  }

  /** A member is out: what reached it has to be asked again, since it may have hidden the others from it. */
  remove(member: T): void {
    this.left = this.left.filter((one) => one !== member);
    for (const check of member.checks) this.#settled.delete(check);
  }

  /** How many of its checks have been judged on a member. */
  judgedOn({ checks }: T): number {
    return [...checks].filter((id) => this.#settled.has(id)).length;
  }
}
