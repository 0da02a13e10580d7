import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import type { EventClaims } from '../../oracle/webhooks/judge-event.ts';
import { judgeMerged } from '../../oracle/webhooks/merged-trace.ts';
import { judgeApart } from '../../oracle/webhooks/one-event.ts';
import { verifySignature } from '../../oracle/webhooks/signature.ts';
import { must } from '../../rules/violation.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  judgeStrayed,
  type ObservedTask,
  type ObserveOptions,
  quiet,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';

type Job = NonNullable<Reply['job']>;

/** An ended task, with its event. */
interface Ended {
  readonly task: ObservedTask;
  readonly last: TaskRecord;
  readonly claims: EventClaims;
}

/** Jobs that their upstream calls good, or forgets, and that the gateway itself has to give up. */
const ownFailures = [
  { id: 'J3', form: 'absent' },
  { id: 'J7', form: 'no-url' },
  { id: 'J9', form: 'not-found' },
  { id: 'J10', form: 'short' },
  { id: 'J13', form: 'at-once' },
] as const;

const sameResultRule = { requirement: 'EP-016', aspect: 'same-result' };

export const endSendsEvent = defineCheck({
  id: 'hook.end.event',
  title: 'a task with webhook_url that succeeds, fails or is given up sends one fresh, well-formed event',
  requirements: [
    'HOOK-001',
    'HOOK-004',
    'HOOK-006',
    'HOOK-008',
    'HOOK-009',
    'HOOK-013',
    'HOOK-014',
    'STATE-006',
    'ERR-009',
  ],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const { rng, tasks, target, judge } = parts;
    const secret = `raw-${rng.hex(10)}`;
    const failed = failedJob(secret);
    const models = oneOfEachKind(target);
    const [any = ''] = models;
    const ended = await Promise.all([
      ...models.flatMap((model) => [
        endObserved(parts, model, { job: { end: 'success' } }),
        endObserved(parts, model, { job: failed }),
      ]),
      endObserved(parts, any, { job: { end: 'canceled' } }),
      endObserved(parts, any, { reply: blockedSubmit }),
      ...ownFailures.map((fault, place) =>
        endObserved(parts, models[place % models.length] ?? any, { reply: { fault } }, 'sent-on-own-failure'),
      ),
    ]);
    await quiet(parts);
    for (const { task } of ended) {
      await judgeStrayed(task);
      const events = await judgedOnce(judge, task);
      judgeMerged({ reads: tasks.traceOf(task.taskId).reads, events });
    }
    judgeApart(ended.map(({ claims }) => claims));
    for (const { claims } of ended) judgeWords(claims.event, secret);
  },
});

export const sameResult = defineCheck({
  id: 'hook.end.same-result',
  title: 'polling a task and receiving its webhook show the same status and results',
  requirements: ['HOOK-001', 'EP-016', 'HOOK-012', 'HOOK-013'],
  kind: 'metamorphic',
  needs: ['webhooks.receiver'],
  run: async (parts) => {
    const { tasks, newScene, target } = parts;
    await Promise.all(
      oneOfEachKind(target).map(async (model) => {
        const polled = tasks.make(newScene().minimalMedia(model), { label: `${model}, polled` });
        // Awaited below, unless the other task breaks a rule first.
        polled.catch(() => undefined);
        const { task, last, claims } = await endObserved(parts, model);
        await judgeSameResult(parts, claims, last);
        judgeMerged({ reads: tasks.traceOf(task.taskId).reads, events: [claims.event] });
        judgeLike(claims, (await polled).last);
      }),
    );
  },
});

export const endIsSigned = defineCheck({
  id: 'hook.end.signed',
  title: "an event's signature covers its id, timestamp and raw body; altering any one breaks it",
  requirements: ['HOOK-007', 'HOOK-010'],
  kind: 'metamorphic',
  needs: ['webhooks.receiver', 'webhooks.secret'],
  run: async (parts) => {
    const model = anyTaskModel(parts.target);
    const [one, other] = await Promise.all([endObserved(parts, model), endObserved(parts, model)]);
    for (const { claims } of [one, other]) judgeAltered(parts, claims);
    const secret = parts.webhooks.secret ?? '';
    const swapped = { ...one.claims.event, headers: other.claims.event.headers };
    must(!verifySignature(swapped, [secret]).ok, {
      requirement: 'HOOK-007',
      aspect: 'verifies',
      expected: 'a signature that fits no other event',
      actual: 'it fits another event',
      exchange: one.claims.event.exchange,
      twin: other.claims.event.exchange,
    });
  },
});

function failedJob(secret: string): Job {
  const message = `Internal: ${secret} failed on node 7.`;
  return { end: 'failed', error: { code: 'internal_error', message } };
}

/** Submits a task, follows it to its end, and judges its event. */
async function endObserved(
  parts: CheckParts,
  model: string,
  options: ObserveOptions = {},
  whenFailed = 'sent-on-failed',
): Promise<Ended> {
  const task = await submitObserved(parts, model, options);
  const { last } = await parts.tasks.follow(task.taskId, { label: `${model}, to its end` });
  const aspect = last.status === 'SUCCESS' ? 'sent-on-success' : whenFailed;
  const event = await firstEvent(parts.webhooks, task, { requirement: 'HOOK-001', aspect });
  const claims = judged(parts, event, { taskId: task.taskId, status: last.status, record: last });
  return { task, last, claims };
}

/** The upstream's text must not reach an event, as it must not reach a record. */
function judgeWords(event: ReceivedEvent, secret: string): void {
  const text = event.body.toString('utf8');
  must(!text.includes(secret), {
    requirement: 'STATE-006',
    aspect: 'no-upstream-text',
    expected: 'an event without text of the upstream',
    actual: text.slice(-300),
    exchange: event.exchange,
  });
}

/** Judges that an event reports the same results as a read, and that they exist. */
async function judgeSameResult(
  { judge, tasks }: CheckParts,
  { event, payload }: EventClaims,
  last: TaskRecord,
): Promise<void> {
  const urls = payload.record?.result_urls;
  if (!Array.isArray(urls)) {
    judge.note('events carry no results: a client has to read the task');
    await tasks.results(last);
    return;
  }
  must(urls.length === last.resultUrls.length && last.status === (payload.status ?? last.status), {
    ...sameResultRule,
    expected: `${last.status} with ${last.resultUrls.length} results, as a poll reports`,
    actual: `${payload.status} with ${urls.length}`,
    exchange: event.exchange,
    twin: last.exchange,
  });
  // The links in an event must work like the links in a read.
  await tasks.results({ ...last, resultUrls: urls.map(String), exchange: event.exchange });
}

/** Judges that a twin without webhook_url ended alike. */
function judgeLike({ event, payload }: EventClaims, twin: TaskRecord): void {
  const said = payload.status ?? payload.statusOfType ?? twin.status;
  must(said === twin.status, {
    ...sameResultRule,
    expected: `${twin.status}, as the same task without webhook_url`,
    actual: said,
    exchange: event.exchange,
    twin: twin.exchange,
  });
}

/** Judges that a receiver would detect any single change of an event. */
function judgeAltered({ webhooks, rng, cases }: CheckParts, { event }: EventClaims): void {
  const secret = webhooks.secret ?? '';
  const flipped = Buffer.from(event.body);
  const place = rng.int(Math.max(1, flipped.length));
  flipped[place] = (flipped[place] ?? 0) ^ (1 << rng.int(8));
  const altered: readonly (readonly [what: string, ReceivedEvent, requirement: string, aspect: string])[] = [
    ['a bit of the body', { ...event, body: flipped }, 'HOOK-007', 'verifies'],
    ['the timestamp', withHeader(event, 'webhook-timestamp', later), 'HOOK-010', 'covers-timestamp'],
    ['the id', withHeader(event, 'webhook-id', (id) => `${id}0`), 'HOOK-007', 'covers-id'],
  ];
  for (const [what, forged, requirement, aspect] of altered) {
    cases.count();
    must(!verifySignature(forged, [secret]).ok, {
      requirement,
      aspect,
      expected: `a signature that fails once ${what} is altered`,
      actual: 'it still verifies',
      exchange: event.exchange,
    });
  }
}

function later(timestamp: string): string {
  return String(Number(timestamp) + 1);
}

function withHeader(event: ReceivedEvent, name: string, change: (value: string) => string): ReceivedEvent {
  const headers = event.headers.map(
    ([key, value]) => [key, key.toLowerCase() === name ? change(value) : value] as const,
  );
  return { ...event, headers };
}
