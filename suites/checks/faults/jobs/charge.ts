import { markupOf, unitPriceOf } from '../../../engine/declared-price.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import { unitCharge } from '../../../oracle/media/price.ts';
import { dollarText, type Pico, picoIn } from '../../../oracle/money.ts';
import { must } from '../../../rules/violation.ts';
import { picturesPaid } from '../../../steps/media/pictures-paid.ts';
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
  const counts = isMade ? picturesPaid(attempt.model, {}, record) : [0];
  const dues = isMade
    ? counts.map((images) => declaredCharge(target, attempt.model, { images, seconds }))
    : [0n];
  const known = dues.filter((due) => due !== null);
  if (known.length === 0) return;
  let charge = await meter.chargeOf(attempt.submitted);
  if (!known.includes(charge)) charge = await meter.finalChargeOf(attempt.submitted, settledWithinMs);
  must(known.includes(charge), {
    requirement: isMade ? 'BILL-009' : 'BILL-008',
    aspect: 'fault-charge',
    expected: `a charge of ${known.map((due) => dollarText(due)).join(' or ')} dollars`,
    actual: dollarText(charge),
    exchange,
  });
}

/** The price of this usage; null where none is declared. */
function declaredCharge(
  target: Target,
  model: string,
  made: { images: number; seconds: number },
): Pico | null {
  const price = unitPriceOf(target.profile, model);
  if (price === undefined || target.profile.pricing.markup_bp === undefined) return null;
  const unit = picoIn(target.profile.pricing.unit) ?? 1n;
  return unitCharge(made, price, markupOf(target.profile, 'K1', model), unit);
}
