import type { Size } from 'gatecheck-reports/report';
import { dollarsIn, fraction, picoIn, rounded, times, whole } from '../oracle/money.ts';
import type { Budget } from '../profile/money.ts';
import { countOf } from '../runner/count-of.ts';
import { mostDoubted } from '../runner/judge-again.ts';
import { type Generated, generated, type Plan } from './plan.ts';

const nouns: Readonly<Record<Generated, string>> = {
  chat: 'chat call',
  image: 'image call',
  video: 'video',
  audio: 'audio task',
};

/** The plan as one line, with which a run begins. */
export function planInLine(plan: Plan): string {
  const money = plan.usd === null ? [] : [moneyOf(plan)];
  const parts = [
    `${countOf(plan.checks, 'check')} of ${plan.checks + plan.untestable}`,
    `about ${count(plan.exchanges)} exchanges`,
    paidOf(plan),
    `${count(plan.tokens)} tokens`,
    ...money,
    `${timeOf(plan.ms)} or more`,
  ];
  return `Plan: ${parts.filter((part) => part !== '').join(', ')}`;
}

interface Circumstances {
  readonly size: Size;
  readonly reached: readonly string[];
  /** How long a call may take, ms: `timeouts.answer_ms`. */
  readonly answerMs: number;
}

/** The whole plan, for `gatecheck plan`. */
export function planInLines(plan: Plan, { size, reached, answerMs }: Circumstances): string {
  const rows: [string, string][] = [
    [
      'checks',
      `${plan.checks}${plan.untestable === 0 ? '' : `; ${plan.untestable} more lack a fact or are declared absent`}${plan.unknown.length > 0 ? `; not measured yet, so not counted: ${plan.unknown.join(', ')}` : ''}`,
    ],
    [
      'exchanges',
      `${count(plan.exchanges)}, of which ${count(plan.reads)} are reads of tasks and results (more if tasks take longer)`,
    ],
    ['paid', paidOf(plan) || 'nothing'],
    ['tokens', count(plan.tokens)],
    [
      'money',
      plan.usd === null ? 'no prices: pricing.models in the profile, or --prices FILE' : moneyOf(plan),
    ],
    [
      'time',
      `${timeOf(plan.ms)} or more; up to ${mostDoubted} failed checks run again; a call that never ends adds ${timeOf(answerMs)} (timeouts.answer_ms)`,
    ],
    ['longest', plan.longest.map(([id, ms]) => `${id} ${timeOf(ms)}`).join(', ')],
    ...(reached.length === 0 ? [] : [['ends early', `at ${reached.join(' or ')}`] as [string, string]]),
  ];
  const guess = size === 'quick' ? [] : [`In the ${size} size: estimated from the quick size.`];
  return `${[...rows.map(([name, text]) => `${name.padEnd(11)}${text}`), ...guess].join('\n')}\n`;
}

function paidOf({ paid }: Plan): string {
  return generated
    .filter((kind) => paid[kind] > 0)
    .map((kind) => `${count(paid[kind])} ${nouns[kind]}${paid[kind] === 1 ? '' : 's'}`)
    .join(', ');
}

/** Rounded to cents, which is the precision of a plan. */
function moneyOf({ usd, unpriced, isSimulated }: Plan): string {
  const cents = rounded(times(dollarsIn(usd ?? '0') ?? whole(0), fraction(100, 1)));
  const text = `$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}${isSimulated ? ' (simulated)' : ''}`;
  return unpriced.length === 0 ? text : `${text} without ${unpriced.join(', ')} (no price known)`;
}

function timeOf(ms: number): string {
  return ms < 90_000 ? `${Math.max(1, Math.round(ms / 1_000))} s` : `${Math.round(ms / 60_000)} min`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** The limits that would end a run before its plan is done, such as `exchanges=2000`. */
export function boundsReached(
  plan: Pick<Plan, 'exchanges' | 'tokens' | 'usd' | 'ms'>,
  budget: Budget,
): string[] {
  const { exchanges, tokens, usd, minutes } = budget;
  const isDear = usd !== undefined && (picoIn(plan.usd ?? '0') ?? 0n) > (picoIn(usd) ?? 0n);
  return [
    ...(exchanges !== undefined && plan.exchanges > exchanges ? [`exchanges=${exchanges}`] : []),
    ...(tokens !== undefined && plan.tokens > tokens ? [`tokens=${tokens}`] : []),
    ...(isDear ? [`usd=${usd}`] : []),
    ...(minutes !== undefined && plan.ms > minutes * 60_000 ? [`minutes=${minutes}`] : []),
  ];
}
