import { mediaPricing } from '../../../engine/declared-price.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { Made } from '../../../oracle/media/price.ts';
import { dollarText, type Pico } from '../../../oracle/money.ts';
import { must } from '../../../rules/violation.ts';
import { picturesPaid } from '../../../steps/media/pictures.ts';
import type { Followed } from './follow-job.ts';
import { secondsMade } from './job-model.ts';

/** How long after its end a task may still be charged, ms of real time. */
const settledWithinMs = 2_000;

/** Judges the ledger's charge of a task: its list price after SUCCESS, otherwise nothing. */
export async function judgeTaskCharge(
  { meter, judge, target }: CheckParts,
  { attempt, end, record, exchange }: Followed,
): Promise<void> {
  if (!meter.byRequest) {
    judge.note('hooks.ledger is not declared: the cost of faulty tasks was not judged');
    return;
  }
  const isMade = end === 'SUCCESS' && record !== null;
  const { facts, cell, model } = attempt;
  const seconds = secondsMade(facts, cell.form, model) ?? record?.durationSec ?? 0;
  // The tasks of faults are first steps.
  const dues = isMade
    ? duesOf(
        target,
        attempt.model,
        picturesPaid(attempt.model, {}, record).map((images) => ({ images, seconds })),
      )
    : [0n];
  if (dues === null) return;
  let charge = await meter.chargeOf(attempt.submitted);
  if (!dues.includes(charge)) charge = await meter.finalChargeOf(attempt.submitted, settledWithinMs);
  must(dues.includes(charge), {
    requirement: isMade ? 'BILL-009' : 'BILL-008',
    aspect: 'fault-charge',
    expected: `a charge of ${dues.map((due) => dollarText(due)).join(' or ')} dollars`,
    actual: dollarText(charge),
    exchange,
  });
}

/** The price of each usage that may count; null where none is declared. */
function duesOf({ profile }: Target, model: string, made: readonly Made[]): Pico[] | null {
  if (profile.pricing.markup_bp === undefined) return null;
  const chargeFor = mediaPricing(profile, model);
  return chargeFor === null ? null : made.map(chargeFor);
}
