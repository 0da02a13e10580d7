import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { CheckRecord } from '../../engine/parts/check-record.ts';
import type { Finding } from '../../rules/violation.ts';
import { createRedactor } from '../../wire/redactor.ts';
import { hidingMember } from '../hidden-by-dialect.ts';
import type { JobContext } from '../job-result.ts';
import type { JobTarget } from '../run-input.ts';
import { CheckWatch, type Found } from './check-watch.ts';

/** What a run shows counts with its result: it is kept until then, since a check may begin again. */
export function keepFound({ every }: JobContext): { readonly every: JobContext['every']; addAll(): void } {
  const kept: (() => void)[] = [];
  const keep: JobContext['every'] = {
    add: (...found) => kept.push(() => every?.add(...found)),
    mayAsk: (kind) => every?.mayAsk(kind) === true,
  };
  const addAll = (): void => {
    for (const add of kept) add();
  };
  return { every: every === null ? null : keep, addAll };
}

/** What every exchange showed, without what a mapping of the dialect hides. */
export function unhidden({ judged, paced }: Found, profile: JobTarget['profile']): Found {
  const isOpen = (finding: Finding): boolean => hidingMember(profile, finding) === null;
  return { paced, judged: judged.map(({ row, findings }) => ({ row, findings: findings.filter(isOpen) })) };
}

/** What judges the exchanges of a check besides, once it has seen the accounts as they are. */
export async function watchOver(
  { check, target: { profile }, stack, every, signal }: JobContext,
  { clock, tenants }: CheckParts,
  { madeKeys }: Pick<CheckRecord, 'madeKeys'>,
): Promise<CheckWatch> {
  const watch = new CheckWatch({
    ...{ profile, clock, tenants, signal, simulators: stack.simulators },
    conceal: createRedactor(profile),
    // Accounts of its own are made for what a check does with them: other checks say nothing about these.
    mayAsk: (kind, isMade) => every?.mayAsk(isMade ? `${check.id} ${kind}` : kind) === true,
    isMade: (key) => madeKeys.has(key),
  });
  await watch.begin();
  return watch;
}
