import { declaredCharge, type Markup, tokenPriceOf } from '../../engine/declared-price.ts';
import type { TestKey } from '../../engine/test-accounts.ts';
import type { Attempt } from '../../oracle/exchange/attempt.ts';
import type { Call } from '../../oracle/exchange/call.ts';
import { failuresIn, hasFailed } from '../../oracle/exchange/judge-exchange.ts';
import { readAttempt } from '../../oracle/exchange/judge-upstream.ts';
import { countsWithin, hasAnyCount } from '../../oracle/exchange/said-counts.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { dialectOfPath } from '../../oracle/native/dialects.ts';
import type { Json } from '../../oracle/native/json.ts';
import { modelsNamed } from '../../oracle/served.ts';
import type { Dialect } from '../../profile/dialects.ts';
import type { Profile } from '../../profile/profile.ts';
import { mediaDues } from '../../steps/money/media-dues.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** The range of what a call may cost. */
export interface Due {
  readonly least: Pico;
  readonly most: Pico;
}

/** A call with everything that determines its cost. */
export interface Spent {
  readonly exchange: Exchange;
  readonly call: Call;
  /** The attempts that reached the upstreams; null when unknown. */
  readonly attempts: readonly Attempt[] | null;
  /** The final record of its task, if a read showed the end. */
  readonly end: TaskRecord | null;
  /** The keys whose markups may hold. */
  readonly payers: readonly Markup[];
  /** Whether a stream that broke was charged by what its upstream had counted. */
  readonly isCharged?: boolean;
}

const nothing: Due = { least: 0n, most: 0n };

/**
 * What a call costs by the declared prices and its upstream's counts (readings B-36, B-43). A refused call costs nothing.
 * Null when the counts or the result are unknown, or the caller left.
 */
export function dueOf(profile: Profile, spent: Spent): Due | null {
  const { exchange, call, payers } = spent;
  const { response } = exchange;
  if (response === null || exchange.isLeft === true) return null;
  if (response.status >= 400) return nothing;
  if (call.protocol === 'submit' && spent.end !== null && spent.end.status !== 'SUCCESS') return nothing;
  const costs = payers.map((payer) => costOf(profile, spent, payer));
  const all = costs.flatMap((one) => one ?? []);
  const [first] = all;
  if (first === undefined || costs.includes(null)) return null;
  return all.reduce<Due>(
    ({ least, most }, cost) => ({ least: cost < least ? cost : least, most: cost > most ? cost : most }),
    { least: first, most: first },
  );
}

/** The tokens that a call may use of its account's quota; null when unknown. */
export function tokensOf(
  spent: Omit<Spent, 'payers'>,
): { readonly least: number; readonly most: number } | null {
  const { exchange, call } = spent;
  const { response } = exchange;
  if (response === null || exchange.isLeft === true) return null;
  const isFree = response.status >= 400 || call.protocol === 'images' || call.protocol === 'submit';
  if (isFree) return { least: 0, most: 0 };
  const read = readingOf(spent);
  const counts = read === null ? null : countsWithin(read.dialect, read.counts);
  if (read === null || counts === null) return null;
  const { prompt_tokens: prompt, completion_tokens: completion } = counts.most;
  const least = counts.least.prompt_tokens + counts.least.completion_tokens;
  if (!read.isBroken) return { least, most: prompt + completion };
  // Which counts of a broken stream are taken is not specified, but money and quota take the same ones.
  const most = prompt + Math.max(completion, estimated(read.text));
  return { least: spent.isCharged === true ? least : 0, most };
}

/** What a stream that broke costs by the counts of its upstream so far, at least; null for any other call, and when unknown. */
export function brokenCost(profile: Profile, spent: Spent): Pico | null {
  const { exchange, call, payers } = spent;
  if (exchange.isLeft === true || exchange.response?.status !== 200 || !call.stream) return null;
  const read = readingOf(spent);
  const counts = read?.isBroken === true ? countsWithin(read.dialect, read.counts) : null;
  const [model = call.model] = modelsNamed(exchange);
  if (counts === null || tokenPriceOf(profile, model) === undefined) return null;
  const costs = payers.map((payer) => declaredCharge(profile, model, counts.least, payer));
  return costs.reduce<Pico | null>((most, one) => (most === null || one > most ? one : most), null);
}

/** The possible costs under one markup; null when unknown. */
function costOf(profile: Profile, spent: Spent, payer: Markup): Pico[] | null {
  const { exchange, call, end } = spent;
  const request = call.request ?? {};
  if (call.protocol === 'images' || call.protocol === 'submit') {
    const { data } = (jsonOf(exchange) ?? {}) as { data?: unknown };
    const pictures = call.protocol === 'images' ? (Array.isArray(data) ? data.length : 0) : null;
    const dues = mediaDues(profile, { model: call.model, request, pictures, end }, payer);
    return dues.length === 0 ? null : dues;
  }
  const read = readingOf(spent);
  if (read === null) return null;
  const isOwn = read.isBroken && isCallersOwn(exchange);
  // The answer may have its counts elsewhere.
  if (read.counts.length === 0) return isOwn || hasAnyCount(read.answer) ? null : [0n];
  const counts = countsWithin(read.dialect, read.counts);
  if (counts === null) return null;
  const [model = call.model] = modelsNamed(exchange);
  if (tokenPriceOf(profile, model) === undefined) return null;
  const passed = Math.max(counts.most.completion_tokens, estimated(read.text));
  const costs = [
    counts.least,
    counts.most,
    ...(isOwn ? [{ ...counts.most, completion_tokens: passed }] : []),
  ].map((one) => declaredCharge(profile, model, one, payer));
  // More counts may have followed the break of a broken stream.
  return read.isBroken ? [0n, ...costs] : costs;
}

/**
 * Whether a stream failed for the request itself, such as a prompt that the upstream then found too long. What was passed on
 * may count then, by the declared estimate (reading B-36).
 */
function isCallersOwn({ response }: Exchange): boolean {
  const failures = failuresIn(response?.body ?? Buffer.alloc(0));
  return failures.some((data) => /"(?:invalid_request_error|INVALID_ARGUMENT)"/.test(data));
}

/** The declared estimate: a token for four bytes. */
function estimated(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

interface Reading {
  readonly dialect: Dialect;
  readonly text: string;
  readonly counts: readonly Json[];
  readonly answer: Buffer;
  readonly isBroken: boolean;
}

/** The counts of the last attempt so far; null when unknown. */
function readingOf({ exchange, call, attempts }: Omit<Spent, 'payers'>): Reading | null {
  const last = attempts?.at(-1);
  const dialect = last === undefined ? null : dialectOfPath(last.path);
  if (last === undefined || dialect === null || !last.isWhole || last.status !== 200) return null;
  const read = last.ended === 'open' ? null : readAttempt(dialect, last);
  if (read === null) return null;
  const { counts, ending, text } = read.said;
  const isBroken = ending !== 'whole' || (call.stream && hasFailed(exchange));
  return { dialect, text, counts, answer: last.answer, isBroken };
}

/** The markups that may apply to a key of the account: its own, or those of all declared apps. */
export function payersOf(profile: Profile, key: 'K1' | 'K5' | null): readonly Markup[] {
  if (profile.pricing.markup_bp === undefined) return [];
  return key === null ? ['K1', 'K5'] : [key];
}

/** The sum of expected charges; null when one of them is unknown. */
export function sumOf(dues: readonly (Due | null)[]): Due | null {
  let [least, most]: [Pico, Pico] = [0n, 0n];
  for (const due of dues) {
    if (due === null) return null;
    least += due.least;
    most += due.most;
  }
  return { least, most };
}

export function isWithin(amount: Pico, { least, most }: Due): boolean {
  return least <= amount && amount <= most;
}

export function rangeText({ least, most }: Due): string {
  return least === most ? dollarText(least) : `${dollarText(least)} to ${dollarText(most)}`;
}

/** The markups that may have been in effect for a call; a task may be priced as late as it ends. */
export function markupsFor(
  { markups }: Pick<TestKey, 'markups'>,
  { exchange, call }: Pick<Spent, 'exchange' | 'call'>,
): Markup[] {
  const lastMs = call.protocol === 'submit' ? Number.POSITIVE_INFINITY : exchange.endedAt;
  return markups
    .filter(({ fromMs, untilMs }) => fromMs <= lastMs && untilMs >= exchange.sentAt)
    .map(({ app }) => ({ bp: app.markup_bp ?? 0, ofModels: app.model_markup_bp }));
}
