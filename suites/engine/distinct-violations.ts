import { type Finding, flag, Violation } from '../rules/violation.ts';
import { placeOf } from './place-of.ts';

/** The violations that differ in rule, aspect or place, each as it was seen first. */
export class DistinctViolations {
  readonly #found: { readonly place: number; readonly error: Violation }[] = [];

  /** The first one, with the place of its case. */
  get first(): { readonly place: number; readonly error: Violation } | null {
    return this.#found[0] ?? null;
  }

  add(place: number, error: Violation): void {
    if (!this.#found.some((known) => isSameFinding(known.error.finding, error.finding)))
      this.#found.push({ place, error });
  }

  /** Runs one case, and keeps its violation; rethrows any other error. */
  async from(place: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.add(place, error);
    }
  }

  /** Reports all violations except those like `thrown`, which the caller throws. */
  flagExcept(thrown: Violation | null): void {
    for (const { error } of this.#found)
      if (thrown === null || !isSameFinding(error.finding, thrown.finding)) flag(false, error.finding);
  }
}

/** Whether two findings are about the same aspect of the same rule. */
export function isAlike(one: Finding, other: Finding): boolean {
  return one.requirement === other.requirement && one.aspect === other.aspect;
}

/** Whether they are the same also where one aspect compares a whole request, member by member. */
export function isSameMember(one: Finding, other: Finding): boolean {
  return isSameFinding(one, other) && one.member === other.member;
}

/** Whether two findings also concern the same endpoint and model family; elsewhere it may be another defect. */
export function isSameFinding(one: Finding, other: Finding): boolean {
  return isAlike(one, other) && placeOf(one.exchange) === placeOf(other.exchange);
}
