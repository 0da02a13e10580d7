import { type MarkedUpKey, mediaPricing, unitPriceOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UsageRecord } from '../../engine/usage-record.ts';
import { type Made, unitsMade } from '../../oracle/media/price.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { dollarText, picoIn } from '../../oracle/money.ts';
import { flag } from '../../rules/violation.ts';
import { picturesPaid } from '../../steps/media/pictures.ts';
import { defaultSeconds } from '../../steps/media/task-models.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'BILL-001';

/** A task that was made for a key, with its usage record. */
export interface PaidStep {
  readonly body: Readonly<Record<string, unknown>>;
  readonly submitted: Exchange;
  readonly last: TaskRecord;
  readonly record: UsageRecord;
  readonly payer: MarkedUpKey;
}

/** Judges that a task is charged only for its own output, at the declared list price and markup, at any place in a chain. */
export async function judgeStepPrice(parts: CheckParts, step: PaidStep): Promise<void> {
  const { target, meter } = parts;
  const { profile } = target;
  const { body, submitted, last, record, payer } = step;
  const model = `${body.model}`;
  const price = unitPriceOf(profile, model);
  if (price === undefined) return parts.judge.note(`no declared price of ${model}: no step was judged by it`);
  // The specification does not say how long an extended song is (reading B-70), so its record decides.
  const length = defaultSeconds(model) ?? record.units ?? 0;
  const made = picturesPaid(model, body, last).map((images): Made => ({ images, seconds: length }));
  const counts = made.map((one) => unitsMade(one, price));
  const what = `${body.action ?? 'first step'} of ${model}`;
  const { units } = record;
  flag(units === undefined || (units > 0 && counts.includes(units)), {
    requirement,
    aspect: 'units-of-a-step',
    expected: `${counts.join(' or ')} units of a ${what}`,
    actual: `${units}`,
    exchange: submitted,
  });
  if (profile.pricing.markup_bp?.[payer] === undefined) return;
  const seen = meter.byRequest ? await meter.chargeOf(submitted) : picoIn(record.charge ?? '');
  const chargeFor = mediaPricing(profile, model, payer);
  if (chargeFor === null) return;
  const dues = made.map(chargeFor);
  for (const charge of [seen, picoIn(record.charge ?? '')])
    flag(charge === null || dues.includes(charge), {
      requirement,
      aspect: 'price-of-a-step',
      expected: `${dues.map((due) => dollarText(due)).join(' or ')} for a ${what}`,
      actual: dollarText(charge ?? 0n),
      exchange: submitted,
    });
}
