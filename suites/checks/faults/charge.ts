import { markupOf, priceOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { namesRequest } from '../../engine/request-id.ts';
import type { CallerOutcome, FaultCell, Verdict } from '../../oracle/faults/fault-facts.ts';
import { callerOutcomeOf, type ScriptedAnswer } from '../../oracle/faults/fault-verdict.ts';
import { dollarText, type Pico, picoIn } from '../../oracle/money.ts';
import { chargeOf, type UsageCounts } from '../../oracle/price.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** How long after its answer a call may still be charged, ms. */
const settledWithinMs = 2_000;

/** The bounds of a charge; null where no price is declared. */
export interface ChargeBounds {
  readonly min: Pico | null;
  readonly max: Pico | null;
}

/** A call that received a fault, and what happened at the upstream. */
export interface ChargedCall {
  readonly verdict: Pick<Verdict, 'charge'>;
  readonly cell: Pick<FaultCell, 'call'>;
  readonly scripted: ScriptedAnswer;
  readonly model: string;
  readonly key: string;
  /** Requests that reached the upstream. */
  readonly requests: number;
}

export const unnamed = 'an answer that does not name its request: its cost was not judged';

/**
 * Judges the ledger's charge: zero for a failure, the price of the counts for an answer, at most that price for a broken
 * stream.
 */
export async function judgeCharge(parts: CheckParts, call: ChargedCall, exchange: Exchange): Promise<void> {
  const { meter, judge } = parts;
  if (!meter.byRequest) {
    judge.note('hooks.ledger is not declared: the cost of faulty calls was not judged');
    return;
  }
  if (!namesRequest(exchange, parts.target.profile)) {
    judge.note(unnamed);
    return;
  }
  const bounds = chargeBounds(call, receivedIn(exchange, call), (usage) => declaredPrice(parts, call, usage));
  let charge = await meter.chargeOf(exchange);
  if (!isWithin(charge, bounds)) charge = await meter.finalChargeOf(exchange, settledWithinMs);
  judgeBounds(charge, bounds, call, exchange);
}

/** What the caller received: how it ended, and how many bytes it was. */
export interface Received {
  readonly outcome: CallerOutcome;
  readonly bytes: number;
}

export function receivedIn(exchange: Exchange, { cell }: Pick<ChargedCall, 'cell'>): Received {
  return {
    outcome: callerOutcomeOf(exchange, cell.call),
    bytes: exchange.response?.body.length ?? 0,
  };
}

/** From this length on a gateway may halt an answer, and charge for what came by the declared estimate (reading B-36). */
const endlessBytes = 1024 * 1024;
/** Bytes passed on for each token of that estimate. It says four, and the upstream may have sent more than was passed on. */
const bytesPerToken = 2;

/** The charge that the verdict allows, given what the caller received and the price of any counts. */
export function chargeBounds(
  { verdict, scripted: { usage } }: Pick<ChargedCall, 'verdict' | 'scripted'>,
  { outcome: callerOutcome, bytes }: Received,
  priceFor: (usage: ScriptedAnswer['usage']) => Pico | null,
): ChargeBounds {
  const nothing = { min: 0n, max: 0n };
  const isCounted = usage.prompt_tokens + usage.completion_tokens > 0;
  const whole = priceFor(usage);
  switch (verdict.charge) {
    case 'nothing':
      return nothing;
    case 'cached':
      if (callerOutcome === 'refused') return nothing;
      return {
        min: callerOutcome === 'broken' ? 0n : priceFor({ ...usage, cached_tokens: usage.prompt_tokens }),
        max: priceFor({ ...usage, cached_tokens: 0 }),
      };
    case 'reported':
      if (callerOutcome === 'refused') return nothing;
      if (callerOutcome === 'broken') return { min: 0n, max: whole };
      return { min: whole ?? (isCounted ? 1n : 0n), max: whole };
    case 'known': {
      if (callerOutcome !== 'broken' || bytes < endlessBytes) return { min: 0n, max: whole };
      const came = Math.max(usage.completion_tokens, Math.ceil(bytes / bytesPerToken));
      return { min: 0n, max: priceFor({ ...usage, completion_tokens: came }) };
    }
  }
}

/** Throws unless the charge is within its bounds. */
export function judgeBounds(
  charge: Pico,
  bounds: ChargeBounds,
  { requests, verdict }: Pick<ChargedCall, 'requests' | 'verdict'>,
  exchange: Exchange,
): void {
  const { min, max } = bounds;
  const from = min === null ? '' : `at least ${dollarText(min)}`;
  const upTo = max === null ? '' : `at most ${dollarText(max)}`;
  must(isWithin(charge, bounds), {
    requirement: max === 0n ? 'BILL-008' : requests > 1 ? 'BILL-009' : 'BILL-001',
    aspect: verdict.charge === 'cached' ? 'fault-cached' : 'fault-charge',
    expected:
      min === max && min !== null
        ? `a charge of ${dollarText(min)} dollars`
        : `a charge of ${[from, upTo].filter((part) => part !== '').join(' and ')} dollars`,
    actual: dollarText(charge),
    exchange,
  });
}

/** The price of these counts; null where the profile declares none, or only that of K1. */
export function declaredPrice(
  { target, keys }: CheckParts,
  { model, key }: Pick<ChargedCall, 'model' | 'key'>,
  usage: ScriptedAnswer['usage'],
): Pico | null {
  const { pricing } = target.profile;
  if (pricing.models?.[model] === undefined || pricing.markup_bp === undefined || key !== keys.K1)
    return null;
  const markup = markupOf(target.profile, 'K1', model);
  return chargeOf(model, countsOf(usage), priceOf(target.profile, model), markup, picoIn(pricing.unit) ?? 1n);
}

function isWithin(charge: Pico, { min, max }: ChargeBounds): boolean {
  return (min === null || charge >= min) && (max === null || charge <= max);
}

/** Scripted counts, as a usage record. */
function countsOf(usage: ScriptedAnswer['usage']): UsageCounts {
  const { prompt_tokens, completion_tokens, cached_tokens = 0 } = usage;
  const { cache_write_tokens: written = 0, cache_write_1h_tokens: longer = 0 } = usage;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    cache_write_5m_tokens: written - longer,
    cache_write_1h_tokens: longer,
  };
}
