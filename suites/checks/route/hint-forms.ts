import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { asksAtMost, type RetryHint, retryHintOf } from '../../oracle/retry-hint.ts';
import { must } from '../../rules/violation.ts';
import { nativeModels } from '../../steps/chat/upstream-view.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
} from '../../steps/failures/routed-call.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One form in which an upstream requests a pause. */
interface Form {
  readonly title: string;
  readonly headers: (nowMs: number) => Readonly<Record<string, string>>;
  /** How long no call may come, s; 0 for a hint that a reader need not understand. */
  readonly quietS: number;
  /** After how long calls must arrive again, s: the requested pause, or a short default of the deployment (B-110). */
  readonly backS: number;
}

/** The requested pause, s. */
const askedS = 17;

/** The pause that a deployment may choose itself, and the longest that it may accept, s. */
const ownS = 10;
const longestS = 300;

const forms: readonly Form[] = [
  {
    title: 'whole seconds',
    headers: () => ({ 'retry-after': String(askedS) }),
    quietS: askedS,
    backS: askedS,
  },
  {
    title: 'a date',
    headers: (nowMs) => ({ date: httpDate(nowMs), 'retry-after': httpDate(nowMs + askedS * 1_000) }),
    // Dates have no fractions of a second.
    quietS: askedS - 2,
    backS: askedS + 1,
  },
  { title: 'a fraction', headers: () => ({ 'retry-after': `${askedS - 1}.5` }), quietS: 0, backS: askedS },
  { title: 'milliseconds', headers: () => ({ 'retry-after-ms': '1500' }), quietS: 0, backS: ownS },
  { title: 'a list', headers: () => ({ 'retry-after': `${askedS}, 40` }), quietS: 0, backS: 40 },
  { title: 'nothing', headers: () => ({ 'retry-after': '0' }), quietS: 0, backS: ownS },
  { title: 'a negative number', headers: () => ({ 'retry-after': `-${askedS}` }), quietS: 0, backS: ownS },
  {
    title: 'a date in the past',
    headers: (nowMs) => ({ date: httpDate(nowMs), 'retry-after': httpDate(nowMs - 60_000) }),
    quietS: 0,
    backS: ownS,
  },
  { title: 'a word', headers: () => ({ 'retry-after': 'later' }), quietS: 0, backS: ownS },
  { title: 'thirty years', headers: () => ({ 'retry-after': '1000000000' }), quietS: 0, backS: longestS },
];

/** Time that the calls themselves take, ms. */
const marginMs = 1_500;

/** A refusal of a call that came too early, with its hint as it was to be read then. */
interface Refusal {
  readonly exchange: Exchange;
  readonly hint: RetryHint | null;
}

interface Asked {
  readonly budget: BreakerBudget;
  readonly form: Form;
  readonly refusals: Refusal[];
}

/** Gateways must obey whole seconds and dates. Other forms must only cause no long outage. */
export const everyFormOfHint = defineCheck({
  id: 'route.hint.every-form',
  title: 'a busy upstream gets no calls for as long as it asks, then gets some again; bad hints cost little',
  requirements: ['ROUTE-010', 'ROUTE-017'],
  kind: 'timing',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  tenants: { quick: 5, full: 5 },
  run: async (parts) => {
    const { clock, judge } = parts;
    const asked = askedOf(parts);
    const began = clock.now();
    await together(asked, (one) => judgeBusy(parts, one, busy(one.form.headers(clock.now()))));
    const passed = [0, ...new Set(forms.map(({ backS }) => backS))].sort((a, b) => a - b);
    for (const [place, backS] of passed.entries()) {
      if (place > 0)
        await clock.elapse((backS - (passed[place - 1] ?? 0)) * 1_000 + (place === 1 ? marginMs : 0));
      const quiet = asked.filter(({ form }) => form.quietS > 0 && form.backS > backS);
      await together(quiet, (one) => judgeLeftAlone(parts, one, began));
      const back = asked.filter(({ form }) => form.backS === backS);
      await together(back, (one) => judgeBack(judge, one));
    }
    for (const one of asked) judgeHints(one);
  },
});

/** Every form in every dialect, each on its own model. */
function askedOf({ rng, judge, tenants, target }: CheckParts): Asked[] {
  const byDialect = Map.groupBy(breakerBudgetsOf(tenants, nativeModels(target)), ({ model }) =>
    dialectOf(model),
  );
  const order = rng.shuffle(forms);
  return [...byDialect.values()].flatMap((budgets) => {
    if (budgets.length < order.length) judge.note(`models for ${budgets.length} of ${order.length} forms`);
    return order.flatMap((form, place) => {
      const budget = budgets[place];
      return budget === undefined ? [] : [{ budget, form, refusals: [] }];
    });
  });
}

async function together(asked: readonly Asked[], judge: (one: Asked) => Promise<void>): Promise<void> {
  await Promise.all(asked.map(judge));
}

/** The body has no error text, so only the header holds the hint. */
function busy(headers: Readonly<Record<string, string>>): Reply {
  return { status: 429, headers: { ...headers }, body: { error: { message: 'Too many requests.' } } };
}

async function judgeBusy(
  { cases, judge, clock }: CheckParts,
  { budget, form, refusals }: Asked,
  reply: Reply,
): Promise<void> {
  cases.count();
  const label = `${budget.model}, busy: asks for ${form.title}`;
  const call = await routedCall(budget, { '*': [reply] }, { label });
  judgeRefused(judge, call);
  refusals.push(refusalOf(call, clock));
}

async function judgeLeftAlone(
  { clock, judge }: CheckParts,
  { budget, form, refusals }: Asked,
  began: number,
): Promise<void> {
  const label = `${budget.model}, asked to wait for ${form.title}`;
  const call = await routedCall(budget, {}, { label });
  if (clock.now() - began > form.quietS * 1_000) return;
  must(call.channels.length === 0, {
    requirement: 'ROUTE-010',
    aspect: 'asked-for-quiet',
    expected: `no call at an upstream that asked for a pause of ${form.quietS} s by ${form.title}`,
    actual: `one at ${call.channels.join(', ')}`,
    exchange: call.exchange,
  });
  judgeRefused(judge, call);
  refusals.push(refusalOf(call, clock));
}

function refusalOf({ exchange }: RoutedCall, clock: CheckClock): Refusal {
  return { exchange, hint: retryHintOf(exchange, clock.now()) };
}

function judgeRefused(judge: Judge, { exchange }: RoutedCall): void {
  const rule = { requirement: 'ROUTE-010', aspect: 'full-code' };
  judge.refused(exchange, { ...rule, codes: ['channel_queue_full', 'channel_outage'], param: null });
}

/** Judges the caller's Retry-After last, because it is only advised. */
function judgeHints({ form: { backS, title }, refusals }: Asked): void {
  for (const refusal of refusals) judgeHint(refusal, backS, title);
}

function judgeHint({ exchange, hint }: Refusal, backS: number, title: string): void {
  const max = Math.max(ownS, backS);
  must(hint === null || asksAtMost(hint, max), {
    requirement: 'ROUTE-017',
    aspect: 'full-hint',
    expected: `no Retry-After, or 1 to ${max} whole seconds, where the upstream asked for ${title}`,
    actual: hint?.text ?? 'none',
    exchange,
  });
}

async function judgeBack(judge: Judge, { budget, form }: Asked): Promise<void> {
  const label = `${budget.model}, ${form.backS} s after it asked for ${form.title}`;
  const { exchange } = await routedCall(budget, {}, { label });
  judge.completed(exchange, { requirement: 'ROUTE-010', aspect: 'free-again', model: budget.model });
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
