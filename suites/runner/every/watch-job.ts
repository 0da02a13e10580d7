import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { CheckRecord } from '../../engine/parts/check-record.ts';
import type { Finding } from '../../rules/violation.ts';
import { createRedactor } from '../../wire/redactor.ts';
import { hidingInRun } from '../hidden-by-dialect.ts';
import type { JobContext } from '../job-result.ts';
import type { JobTarget } from '../run-input.ts';
import { CheckWatch, type Found } from './check-watch.ts';

/** Buffers findings until the check has a result, since a check may start again. */
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

/** The findings in every exchange, without those that a mapping of the dialect hides. */
export function unhidden({ judged, paced }: Found, profile: JobTarget['profile']): Found {
  const isOpen = (finding: Finding): boolean => hidingInRun(profile, finding) === null;
  return { paced, judged: judged.map(({ row, findings }) => ({ row, findings: findings.filter(isOpen) })) };
}

/** Creates the watch over a check's exchanges, after reading the accounts. */
export async function watchOver(
  { check, target: { profile }, stack, every, signal }: JobContext,
  { clock, tenants }: CheckParts,
  { madeKeys }: Pick<CheckRecord, 'madeKeys'>,
): Promise<CheckWatch> {
  const watch = new CheckWatch({
    ...{ profile, clock, tenants, signal, simulators: stack.simulators },
    conceal: createRedactor(profile),
    // A created account serves the purpose of its check, so calls of other checks do not stand for its calls.
    mayAsk: (kind, isMade) => every?.mayAsk(isMade ? `${check.id} ${kind}` : kind) === true,
    madeKey: (secret) => madeKeys.get(secret),
  });
  await watch.begin();
  return watch;
}
