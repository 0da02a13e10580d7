import { mediaPricing, unitPriceOf } from '../engine/declared-price.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { Scene } from '../engine/scene.ts';
import { postedWithinMs } from '../engine/served-calls.ts';
import { isGone, isTerminal } from '../oracle/media/task-answer.ts';
import { dollarText } from '../oracle/money.ts';
import { must } from '../rules/violation.ts';
import { beforeNextTry } from '../steps/failures/pass-timeouts.ts';
import { mediaIdsOf } from '../steps/routes/call-route.ts';
import { type Exchange, errorCodeOf, isSuccess, outcomeOf } from '../wire/exchange.ts';

/** An account that can pay for one task, and has a task that will have no result. */
export interface Purse {
  readonly key: string;
  readonly model: string;
  readonly scene: Scene;
  readonly taskId: string;
  /** Whether its upstream forgets the job shortly before the deadline of the task. */
  readonly isLost: boolean;
}

/** How long a task may take to end once its time is up, ms. */
const endedWithinMs = 20_000;
/** How long before the deadline a job is forgotten: long enough for a read, and too short for many, ms. */
const lostMs = 25_000;

/**
 * Opens a purse for one of the models that are charged by task; null where no such price is declared.
 * @param isLost whether its task certainly expires in the history; then the last reads of its job fail
 */
export async function openPurse(parts: CheckParts, isLost: boolean): Promise<Purse | null> {
  const { target, accounts, newScene, tasks, rng } = parts;
  const model = rng.shuffle(mediaIdsOf(target, 'tasks')).find((id) => {
    const price = unitPriceOf(target.profile, id);
    return price !== undefined && 'per_task' in price;
  });
  const due = model === undefined ? null : mediaPricing(target.profile, model, { bp: 0 });
  if (model === undefined || due === null) return null;
  const credits = dollarText(due({ images: 0, seconds: 0 }));
  const { key } = await accounts.create({ credits, apps: [{ markup_bp: 0 }] });
  const scene = newScene();
  const wait_ms = (target.profile.tasks.deadline_ms ?? 0) - lostMs;
  const isForgotten = isLost && wait_ms > 0;
  await scene.script(
    isForgotten ? { fault: { id: 'J13', form: 'later', wait_ms } } : { job: { hold: 'running' } },
  );
  const submitted = await tasks.submit(scene.minimalMedia(model), {
    label: 'all that a purse pays for',
    key,
  });
  return { key, model, scene, taskId: tasks.accepted(submitted).taskId, isLost: isForgotten };
}

/**
 * Judges that a task without a result has left nothing on hold: its account pays for another one. The task has expired in the
 * history, or fails now.
 */
export async function judgePurse(parts: CheckParts, purse: Purse): Promise<void> {
  const { key, model, taskId } = purse;
  const { tasks } = parts;
  const read = await tasks.read(taskId, { label: `${model}, of a purse`, key });
  const status = isGone(read) ? null : tasks.record(read, taskId).status;
  if (status !== null && !isTerminal(status))
    await (purse.isLost ? expire(parts, purse) : fail(parts, purse));
  const until = performance.now() + postedWithinMs;
  const submitAgain = (): Promise<Exchange> =>
    tasks.submit(parts.newScene().minimalMedia(model), { label: 'a purse again', key });
  let again = await submitAgain();
  for (let tries = 0; errorCodeOf(again) === 'quota_exceeded' && performance.now() < until; tries += 1) {
    await beforeNextTry(parts, tries);
    again = await submitAgain();
  }
  must(isSuccess(again), {
    ...{ requirement: 'ERR-021', aspect: 'still-spends', exchange: again, twin: read },
    expected: `a task: the one before had no result, so the price of ${model} is left`,
    actual: `${outcomeOf(again)} ${errorCodeOf(again) ?? ''}`,
  });
}

/** Waits for the end of a task whose time is up; it may also be gone then. */
async function expire(parts: CheckParts, { key, model, taskId }: Purse): Promise<void> {
  const { tasks, clock, target } = parts;
  await clock.elapse(target.profile.tasks.states_within_ms);
  const since = performance.now();
  for (let tries = 0; ; tries += 1) {
    const exchange = await tasks.read(taskId, { label: `${model}, of a purse`, key });
    const status = isGone(exchange) ? null : tasks.record(exchange, taskId).status;
    if (status === null || isTerminal(status)) return;
    must(performance.now() - since < endedWithinMs, {
      ...{ requirement: 'STATE-007', aspect: 'ends-unread', exchange },
      expected: `the end of a task of ${model}: its time is up, although its job could not be read last`,
      actual: status,
    });
    await beforeNextTry(parts, tries);
  }
}

async function fail({ tasks }: CheckParts, { key, scene, taskId }: Purse): Promise<void> {
  const error = { code: 'internal_error', message: 'It broke.' };
  await scene.moveJob(await scene.job(), { end: 'failed', error });
  await tasks.follow(taskId, { key });
}
