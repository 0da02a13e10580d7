import { mustCost } from '../checks/bill/made.ts';
import { basisPointsOf, declaredCharge, tokenPriceOf } from '../engine/declared-price.ts';
import type { UsageRecord } from '../engine/usage-record.ts';
import { markedUp, statedPrices } from '../oracle/media/price.ts';
import type { TaskTraces } from '../oracle/media/task-traces.ts';
import { dollarText, type Pico, picoIn } from '../oracle/money.ts';
import type { UsageCounts } from '../oracle/price.ts';
import type { Profile } from '../profile/profile.ts';
import { must } from '../rules/violation.ts';
import { mediaDues } from '../steps/money/media-dues.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type PassedCall, type PassedCalls, wholeCounts } from './passed-calls.ts';

/** What is known when the charge of a call is read. */
export interface Books {
  readonly profile: Profile;
  readonly calls: PassedCalls;
  readonly traces: Pick<TaskTraces, 'endOf'>;
}

/** One possible judgement of a read charge; it throws or flags violations. */
export interface ChargeCase {
  readonly check: 'free' | 'charges' | 'usageLog';
  readonly judge: () => void;
}

/** A read about a call. */
export interface Read {
  readonly call: PassedCall;
  readonly books: Books;
}

/** Compares the charge with the price list, if the price and the result are known. */
export function priceCases(exchange: Exchange, charge: Pico, read: Read): ChargeCase[] {
  const { call, books } = read;
  const { payer } = call;
  if (payer === null || books.profile.pricing.markup_bp?.[payer] === undefined) return [];
  if (call.what === 'chat') return tokenCases(exchange, charge, read);
  const dues = duesOf(read);
  const rule = { requirement: 'BILL-001', aspect: 'media-as-listed' };
  const [first] = dues;
  const due = dues.includes(charge) ? charge : first;
  const listed: ChargeCase[] =
    due === undefined
      ? []
      : [{ check: 'charges', judge: () => mustCost({ charge, exchange }, due, rule, dollarText) }];
  return [...statedCases(exchange, charge, read), ...listed];
}

function tokenCases(exchange: Exchange, charge: Pico, { call, books: { profile } }: Read): ChargeCase[] {
  const { record, payer } = call;
  const model = record?.model_served ?? call.served;
  const price = tokenPriceOf(profile, model);
  if (price === undefined || payer === null) return [];
  const counts = record?.usage_known === true ? countsIn(record) : wholeCounts(call, price);
  if (counts === null) return [];
  const due = declaredCharge(profile, model, counts, payer);
  const finding = {
    requirement: 'BILL-002',
    aspect: 'exact-charge',
    expected: `${dollarText(due)} for ${JSON.stringify(counts)} of ${model}`,
    actual: dollarText(charge),
    exchange,
  };
  return [{ check: 'charges', judge: () => must(charge === due, finding) }];
}

function countsIn({
  prompt_tokens,
  completion_tokens,
  cached_tokens,
  cache_write_5m_tokens,
  cache_write_1h_tokens,
}: UsageRecord): UsageCounts {
  return { prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens };
}

/** The possible charges for images or a task by the price list; empty when the price or the result is unknown. */
function duesOf({ call, books: { profile, traces } }: Read): Pico[] {
  const { asked: model, order: request, payer, what, taskId } = call;
  if (payer === null) return [];
  const pictures = what === 'pictures' ? call.pictures : null;
  const end = taskId === null ? null : traces.endOf(taskId);
  return mediaDues(profile, { model, request, pictures, end }, payer);
}

/** Compares the charge with the image prices that the specification states, whatever the deployment's price list says. */
function statedCases(exchange: Exchange, charge: Pico, { call, books: { profile } }: Read): ChargeCase[] {
  const { asked, pictures, payer, what } = call;
  const stated = statedPrices[asked];
  if (stated === undefined || what !== 'pictures' || pictures === 0 || payer === null) return [];
  const bp = basisPointsOf(profile, payer, asked);
  const unit = picoIn(profile.pricing.unit) ?? 1n;
  const [from, to] = [markedUp(stated.min, bp), markedUp(stated.max, bp)];
  const count = BigInt(pictures);
  const isWithin =
    (charge + unit) * from.bottom >= count * from.top && (charge - unit) * to.bottom <= count * to.top;
  const { min, max, row } = stated;
  const finding = {
    requirement: row,
    aspect: 'stated-price',
    expected: `${min === max ? min : `${min} to ${max}`} dollars for each of ${pictures} images, under a markup of ${bp} basis points`,
    actual: dollarText(charge),
    exchange,
  };
  return [{ check: 'charges', judge: () => must(isWithin, finding) }];
}
