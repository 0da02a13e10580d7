import type { Inbox } from '../engine/inbox.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { Scene } from '../engine/scene.ts';
import type { TestAccount } from '../engine/test-accounts.ts';
import { queryTail } from '../generators/target-tail.ts';
import { laterSteps, songActions } from '../oracle/media/fields.ts';
import { isGone, type TaskRecord } from '../oracle/media/task-answer.ts';
import { type LifeEnd, type LifeTimes, TaskLife } from '../oracle/world/task-life.ts';
import { callsAtOnce } from '../profile/calls-at-once.ts';
import { must } from '../rules/violation.ts';
import { expiryMarginMs } from '../steps/media/held-task.ts';
import { actionBody } from '../steps/media/song.ts';
import { stepBody } from '../steps/media/workflow.ts';
import type { Rule } from '../steps/ways/way-in.ts';
import { type Exchange, isSuccess, outcomeOf } from '../wire/exchange.ts';
import { ChangedAccount } from './changed-account.ts';
import { judgeEvents } from './judge-events.ts';
import type { Passage, Reader, Receiving, TaskStep } from './task-history.ts';
import { judgePurse, openPurse, type Purse } from './task-purse.ts';

/** A task of a history, with the scene of its job. */
interface OwnTask {
  readonly id: string;
  readonly model: string;
  readonly scene: Scene;
  readonly life: TaskLife;
  readonly submitted: Exchange;
  /** Whether another task can continue it: nothing continues a single picture, or the words of a song. */
  readonly mayGoOn: boolean;
  /** Whether nobody asked for its event. */
  readonly isSilent: boolean;
  /** Its place among the tasks that continue the same one. */
  readonly nth: number;
  /** The tasks that continue it, one after the other: the jobs of two at once could not be distinguished. */
  readonly children: OwnTask[];
}

/** The context in which task histories are played. */
export interface TaskStage {
  readonly parts: CheckParts;
  /** The models of its tasks, in a drawn order. */
  readonly models: readonly string[];
  readonly keys: Readonly<Record<Reader, string>>;
  /** The account of the owner and the colleague. */
  readonly account: ChangedAccount;
  readonly times: LifeTimes;
  readonly tasks: OwnTask[];
  /** How many submissions have begun. */
  begun: number;
  /** Where the events of all of them arrive; null without a receiver. */
  readonly inbox: Inbox | null;
  readonly purse: Purse | null;
}

/** How long to read a task that lags behind its job, ms, before moving the clock by the time that the deployment may take. */
const patienceMs = 1_000;
/** How long it may lag after that, ms. */
const lateMs = 5_000;

const minuteMs = 60_000;

/** Upstreams report fractions of a second, and the record has whole ones. */
const lasting = { duration_s: 31.4 } as const;

/** The number of tasks that each user submits at once, if the cap allows it. */
const crowdEach = 2;

const receiverStatus: Readonly<Record<Receiving, number>> = { takes: 200, fails: 500, gone: 410 };

/** Makes the accounts of a history of tasks. `isLost`: see {@link openPurse}. */
export async function setTaskStage(
  parts: CheckParts,
  models: readonly string[],
  isLost: boolean,
): Promise<TaskStage> {
  const { deadline_ms: deadlineMs = 0, retention_ms: retentionMs = 0 } = parts.target.profile.tasks;
  const spec = {
    ...{ credits: '1000', apps: [{ markup_bp: 2_500 }] },
    ...{ users: [{}, {}], keys: [{ user: 0 }, { user: 1 }] },
  };
  const [own, other]: readonly TestAccount[] = await Promise.all([
    parts.accounts.create(spec),
    parts.accounts.create({ credits: '1000' }),
  ]);
  if (own === undefined || other === undefined) throw new Error('two accounts were made');
  const marginMs = expiryMarginMs(Math.min(deadlineMs, retentionMs));
  const inbox = parts.webhooks.isThere ? await parts.webhooks.inbox() : null;
  return {
    ...{ parts, models, tasks: [], begun: 0, inbox, times: { deadlineMs, retentionMs, marginMs } },
    purse: await openPurse(parts, isLost),
    account: new ChangedAccount(own, parts.target.models),
    keys: { owner: own.key, colleague: own.keyAt(1), stranger: other.key },
  };
}

/**
 * Plays the steps, then reads each task once more with all readers, and judges its event.
 * @throws Violation
 */
export async function playTasks(stage: TaskStage, steps: readonly TaskStep[]): Promise<void> {
  for (const step of steps) {
    stage.parts.cases.signal.throwIfAborted();
    stage.parts.cases.count();
    await playStep(stage, step);
  }
  const records = new Map<OwnTask, TaskRecord | null>();
  for (const task of stage.tasks) {
    const own = await read(stage, task, 'owner');
    records.set(task, (await read(stage, task, 'colleague')) ?? own);
    await read(stage, task, 'stranger');
  }
  if (stage.inbox !== null) await judgeEvents(stage.parts, stage.inbox, records);
  if (stage.purse !== null) await judgePurse(stage.parts, stage.purse);
}

async function playStep(stage: TaskStage, step: TaskStep): Promise<void> {
  const { tasks, models, parts, times, account } = stage;
  if (step.do === 'change') return account.change(step.change);
  if (step.do === 'submit' || step.do === 'crowd') {
    await account.restore();
    const model = models[step.model % models.length] ?? '';
    if (step.do === 'submit') return void (await submit(stage, model, step.by));
    const each = Math.min(crowdEach, callsAtOnce(parts.target.profile));
    const users = (['owner', 'colleague'] as const).flatMap((by) => Array.from({ length: each }, () => by));
    const crowd = await allOf(users.map((by) => submit(stage, model, by)));
    await allOf(crowd.map((one) => end(stage, one, step.end)));
    // One after the other, because a read may move the clock, which must not affect other calls of this history.
    for (const one of crowd) await read(stage, one, 'owner');
    return;
  }
  if (step.do === 'pass') {
    const waits: Readonly<Record<Passage, number>> = {
      minute: minuteMs,
      late: times.deadlineMs - 3 * times.marginMs,
      deadline: times.deadlineMs + 2 * times.marginMs,
      half: Math.ceil(times.retentionMs / 2) + times.marginMs,
      kept: times.retentionMs - 3 * times.marginMs,
      retention: times.retentionMs + 2 * times.marginMs,
    };
    return parts.clock.elapse(waits[step.what]);
  }
  if (step.do === 'receive') return void (await stage.inbox?.plan({ status: receiverStatus[step.as] }));
  const task = tasks.at(step.task % Math.max(1, tasks.length));
  if (task === undefined) return;
  if (step.do === 'read') return void (await read(stage, task, step.by));
  if (step.do === 'continue') {
    await account.restore();
    return goOn(stage, task, step.action, step.by);
  }
  await end(stage, task, step.end);
  await read(stage, task, 'owner');
}

/** Waits for all, even when one fails, because unfinished work would disturb the next history. */
async function allOf<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function end({ parts }: TaskStage, { life, scene, nth }: OwnTask, as: LifeEnd): Promise<void> {
  const nowMs = parts.clock.now();
  if (!life.mayEnd(nowMs)) return;
  const error = { code: 'internal_error', message: 'It broke.' };
  const job = (await scene.jobs(nth + 1))[nth] ?? (await scene.job());
  await scene.moveJob(job, as === 'SUCCESS' ? { end: 'success' } : { end: 'failed', error });
  life.ends(as, nowMs);
}

async function submit(stage: TaskStage, model: string, by: Reader): Promise<OwnTask> {
  const { parts, keys } = stage;
  const scene = parts.newScene();
  await scene.script({ job: { ...lasting, hold: stage.tasks.length % 2 === 0 ? 'running' : 'queued' } });
  const asked = withEvents(stage, scene.minimalMedia(model));
  const submitted = await parts.tasks.submit(asked.body, { label: model, key: keys[by] });
  return add(stage, { model, scene, submitted, mayGoOn: true, nth: 0, isSilent: asked.isSilent });
}

function add(
  { parts, tasks, times }: TaskStage,
  made: Omit<OwnTask, 'id' | 'life' | 'children'>,
  rule: Partial<Rule> = {},
): OwnTask {
  const { submitted } = made;
  const { taskId: id } = parts.tasks.accepted(submitted, rule);
  const twin = tasks.find((one) => one.id === id)?.submitted;
  must(twin === undefined, {
    ...{ requirement: 'TASK-010', aspect: 'own-id', exchange: submitted, twin },
    expected: 'a task_id of its own for each submission',
    actual: `${id}, the id of an earlier one`,
  });
  const task = { ...made, id, life: new TaskLife(times, parts.clock.now()), children: [] };
  tasks.push(task);
  return task;
}

/** Submits a later step of a task. It is accepted when its parent has succeeded, with every key of the account. */
async function goOn(stage: TaskStage, parent: OwnTask, place: number, by: Reader): Promise<void> {
  const { parts, keys } = stage;
  const scene = parts.newScene();
  const later = laterBody(parts, parent, scene, place);
  const nowMs = parts.clock.now();
  const isBusy = parent.children.some(({ life }) => life.endedAs(nowMs) === null);
  if (later === null || !parent.mayGoOn || isBusy) return;
  const label = `a later step of ${parent.model}, by the ${by}`;
  const { mayGoOn } = later;
  const { body, isSilent } = withEvents(stage, later.body);
  if (by !== 'stranger' && parent.life.hasSucceeded(nowMs)) {
    const job = (await parent.scene.jobs(parent.nth + 1))[parent.nth] ?? (await parent.scene.job());
    const child = parent.scene.child(job.id);
    await child.script({ job: { ...lasting, hold: 'running' } });
    const submitted = await parts.tasks.submit(body, { label, key: keys[by] });
    const nth = parent.children.length;
    const made = { model: parent.model, scene: child, submitted, mayGoOn, nth, isSilent };
    const requirement = parent.model === 'journey-v7' ? 'JRNY-015' : 'SONG-006';
    return void parent.children.push(add(stage, made, { requirement, aspect: 'kept-parent-taken' }));
  }
  // The specification does not define the outcome of a step whose parent has not ended.
  if (by !== 'stranger' && !parent.life.hasFailed) return;
  const exchange = await parts.tasks.submit(body, { label, key: keys[by] });
  must(!isSuccess(exchange), {
    ...{ requirement: by === 'stranger' ? 'STATE-011' : 'TASK-006', aspect: 'parent-refused', exchange },
    expected: `a refusal: its parent ${by === 'stranger' ? 'is of another account' : 'has made nothing'}`,
    actual: outcomeOf(exchange),
  });
}

/** Every fourth task has no webhook_url, whatever the task has that it continues. */
function withEvents(
  stage: TaskStage,
  body: Record<string, unknown>,
): { readonly body: Record<string, unknown>; readonly isSilent: boolean } {
  const { inbox } = stage;
  stage.begun += 1;
  const isSilent = inbox === null || stage.begun % 4 === 2;
  // Every third URL has a query, which later deliveries need as well.
  const url = inbox?.url(stage.begun % 3 === 0 ? queryTail : '');
  return { isSilent, body: { ...body, webhook_url: isSilent ? undefined : url } };
}

/** The body of a later step; null where the model has none. */
function laterBody(
  parts: CheckParts,
  { id, model }: OwnTask,
  scene: Scene,
  place: number,
): { readonly body: Record<string, unknown>; readonly mayGoOn: boolean } | null {
  if (model === 'journey-v7') {
    const step = laterSteps[place % laterSteps.length] ?? 'reroll';
    const body = stepBody(step, id, step === 'reroll' ? undefined : 1 + (place % 4));
    return { body, mayGoOn: step !== 'upscale' };
  }
  if (model !== 'song-v5') return null;
  const { actions } = parts.target.profile.song;
  // A mashup has two parents.
  const known = songActions.filter(
    ({ name, parent }) => parent === 'one' && name !== 'mashup' && Object.hasOwn(actions, name),
  );
  const action = known[place % Math.max(1, known.length)];
  if (action === undefined) return null;
  const body = actionBody(parts, action, { scene, parents: [id, id] });
  return { body, mayGoOn: action.makes === 'music' && action.inputs === 'plain' };
}

/**
 * Reads a task until it shows the required state, and judges the record.
 * @returns the record; null when the task is gone
 */
async function read(stage: TaskStage, task: OwnTask, by: Reader): Promise<TaskRecord | null> {
  const { parts, keys, account } = stage;
  let start = performance.now();
  let hasPassed = false;
  for (;;) {
    const exchange = await parts.tasks.read(task.id, { label: `${task.model}, by the ${by}`, key: keys[by] });
    if (by !== 'stranger' && account.turnsAway(by, exchange)) return null;
    const { statuses, unknown, requirement } = task.life.mayShow(by !== 'stranger', parts.clock.now());
    if (isGone(exchange) && unknown) return null;
    const record = isSuccess(exchange) ? parts.tasks.record(exchange, task.id) : null;
    const shown = record?.status ?? null;
    if (shown !== null && statuses.includes(shown)) return record;
    const isBehind = shown === 'QUEUED' || shown === 'RUNNING';
    if (isBehind && !hasPassed && performance.now() - start > patienceMs) {
      await parts.clock.elapse(parts.target.profile.tasks.states_within_ms);
      hasPassed = true;
      start = performance.now();
      continue;
    }
    must(!isGone(exchange), {
      ...{ requirement: 'STATE-012', aspect: 'still-known', exchange, twin: task.submitted },
      expected: statuses.join(' or '),
      actual: outcomeOf(exchange),
    });
    const isLate = performance.now() - start > lateMs;
    must(isBehind && !isLate, {
      ...{ requirement, aspect: 'shows-its-state', exchange, twin: task.submitted },
      expected: [...statuses, ...(unknown ? ['task_not_found'] : [])].join(' or '),
      actual: shown ?? outcomeOf(exchange),
    });
  }
}
