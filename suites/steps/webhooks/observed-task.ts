import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from 'gatecheck-simulators/client';
import type { Inbox } from '../../engine/inbox.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { Webhooks } from '../../engine/parts/webhooks.ts';
import type { Scene } from '../../engine/scene.ts';
import { type EventClaims, type EventRules, judgeEvent } from '../../oracle/webhooks/judge-event.ts';
import type { PayloadClaims } from '../../oracle/webhooks/judge-payload.ts';
import { judgeOnce } from '../../oracle/webhooks/one-event.ts';
import type { Answer } from '../../receiver/protocol.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';

/** An accepted task, and the inbox that receives its event. */
export interface ObservedTask {
  readonly tenant: Tenant;
  readonly scene: Scene;
  readonly inbox: Inbox;
  readonly model: string;
  readonly taskId: string;
  readonly submitted: Exchange;
}

export interface ObserveOptions {
  /** The tenant that submits it; the first one by default. */
  readonly tenant?: Tenant;
  /** The states of its job. */
  readonly job?: NonNullable<Reply['job']>;
  /** The upstream's answer instead of starting a job. */
  readonly reply?: Reply;
  /** The receiver's answers; default: 200. */
  readonly answers?: readonly Answer[];
  /** An inbox that other tasks use too; default: the task's own. */
  readonly inbox?: Inbox;
  /** Appended to the URL of the inbox. */
  readonly tail?: string;
  readonly key?: string;
  /** Further members of the body, which override those of the smallest one. */
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/**
 * How long to wait before an event counts as not coming, ms of real time: for a local and for a remote deployment.
 */
const quietMs = { near: 300, far: 3_000 } as const;

/** Submits a task with its own inbox as webhook_url. It must be accepted. */
export async function submitObserved(
  { tenants, cases }: CheckParts,
  model: string,
  options: ObserveOptions = {},
): Promise<ObservedTask> {
  const { tenant = tenants[0], job, reply, answers = [], tail, key, body = {} } = options;
  cases.count();
  const scene = tenant.newScene();
  const inbox = options.inbox ?? (await tenant.webhooks.inbox(...answers));
  if (job !== undefined || reply !== undefined) await scene.script({ ...(job && { job }), ...reply });
  const webhook = { webhook_url: inbox.url(tail) };
  const submitted = await tenant.tasks.submit(
    { ...scene.minimalMedia(model), ...body, ...webhook },
    { label: `${model}, with webhook_url`, ...(key === undefined ? {} : { key }) },
  );
  const { taskId } = tenant.tasks.accepted(submitted);
  return { tenant, scene, inbox, model, taskId, submitted };
}

/** The first event of an ended task, which must arrive in time. */
export async function firstEvent(
  webhooks: Webhooks,
  task: Pick<ObservedTask, 'inbox' | 'submitted' | 'model'>,
  rule: Rule,
): Promise<ReceivedEvent> {
  const [event] = await task.inbox.events();
  if (event === undefined) await judgeStrayed(task);
  const expected = `an event at ${task.inbox.url()}, since a task of ${task.model} has ended`;
  const actual = `none within ${webhooks.rules.within_ms} ms`;
  must(event !== undefined, { ...rule, expected, actual, exchange: task.submitted });
  return event;
}

/** Judges that events are sent only to the receiver, over HTTPS. */
export async function judgeStrayed({ inbox }: Pick<ObservedTask, 'inbox'>): Promise<void> {
  const [misdirected] = await inbox.misdirected();
  must(misdirected === undefined, {
    requirement: 'HOOK-006',
    aspect: 'https-only',
    expected: 'an event over HTTPS, at the host of its webhook_url',
    actual: `one over ${misdirected?.via === 'canary-http' ? 'plain HTTP' : 'TLS at another host'}`,
    exchange: misdirected?.exchange,
  });
}

/** Judges a single delivery against its task. */
export function judged(
  parts: CheckParts,
  event: ReceivedEvent,
  observed: PayloadClaims,
  tenant: Tenant = parts.tenants[0],
): EventClaims {
  const claims = judgeEvent(event, rulesOf(parts, tenant), observed);
  for (const finding of claims.advice) parts.judge.advise(finding);
  return claims;
}

export function rulesOf({ tenants, target }: CheckParts, tenant: Tenant = tenants[0]): EventRules {
  return {
    timestampHeader: tenant.webhooks.rules.timestamp_header,
    secret: tenant.webhooks.secret,
    isClockKnown: target.profile.hooks.clock !== undefined,
  };
}

/** Judges that no second event of a task has arrived by now. */
export async function judgedOnce(
  judge: Judge,
  { inbox }: Pick<ObservedTask, 'inbox'>,
): Promise<ReceivedEvent[]> {
  const events = await inbox.eventsNow();
  for (const finding of judgeOnce(events)) judge.advise(finding);
  return events;
}

/** The time limit for a task and its event, ms. Simulated upstreams produce their results at once. */
export function endWithinMs({ target: { profile }, webhooks }: CheckParts): number {
  return profile.upstream === undefined ? profile.tasks.states_within_ms : webhooks.rules.within_ms;
}

/** Waits long enough for an unwanted event to arrive. */
export async function quiet({ target, cases }: CheckParts): Promise<void> {
  const isNear = target.profile.upstream !== undefined;
  await wait(isNear ? quietMs.near : quietMs.far, undefined, { signal: cases.signal });
}
