import { type Check, defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Tasks } from '../../../engine/parts/tasks.ts';
import { faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import { type ReceiverFaultFacts, receiverVerdictOf } from '../../../oracle/faults/webhook-fault-facts.ts';
import { rowsOfReceiverFault } from '../../../oracle/faults/webhook-fault-verdict.ts';
import { waitBefore } from '../../../oracle/webhooks/schedule.ts';
import { must } from '../../../rules/violation.ts';
import { mustSucceed } from '../../../steps/media/own-tasks.ts';
import { anyTaskModel } from '../../../steps/media/task-models.ts';
import { isSuccess } from '../../../wire/exchange.ts';
import { titleOf } from '../title.ts';
import { judgeDeliveries } from './deliveries.ts';
import { arrangeReceiver, type BadReceiver, type ReceiverAttempt } from './receiver-forms.ts';

/** How far beyond a declared time to move, ms. */
const lateMs = 2_000;

/** The check of a fault of receivers, made from its verdict. */
export function checkByReceiverVerdict(facts: ReceiverFaultFacts): Check {
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: rowsOfReceiverFault(facts),
    kind: 'timing',
    needs: ['webhooks.receiver', 'webhooks.schedule', 'webhooks.timeout', 'time'],
    clock: 'jump',
    run: (parts) => judgeReceiverFault(parts, facts),
  });
}

/** Submits a task for each form of bad receiver, judges that none is delayed, then passes its attempts and one more. */
async function judgeReceiverFault(parts: CheckParts, facts: ReceiverFaultFacts): Promise<void> {
  const { judge, target, webhooks, tasks } = parts;
  const model = anyTaskModel(target);
  const receivers: BadReceiver[] = [];
  for (const form of facts.forms ?? ['slow']) {
    const receiver = await arrangeReceiver(webhooks, form);
    if (receiver === null) judge.note(`${facts.id} (${form}): there is no such receiver here`);
    else receivers.push(receiver);
  }
  try {
    const begun = await Promise.all(receivers.map((receiver) => submit(parts, facts, model, receiver)));
    const ended = await Promise.all(begun.map((attempt) => follow(tasks, attempt)));
    await passAttempts(parts, ended);
    for (const attempt of ended) await judgeDeliveries(parts, facts, attempt);
  } finally {
    for (const { inbox } of receivers) {
      await inbox.plan({ status: 200 });
      await inbox.release();
    }
  }
}

async function submit(
  { cases, newScene, tasks, judge }: CheckParts,
  facts: ReceiverFaultFacts,
  model: string,
  receiver: BadReceiver,
): Promise<ReceiverAttempt> {
  cases.count();
  const { form, url } = receiver;
  const { task } = receiverVerdictOf(facts, form);
  const body = { ...newScene().minimalMedia(model), webhook_url: url };
  const submitted = await tasks.submit(body, { label: `${facts.id} ${facts.name} (${form}), ${model}` });
  const isTaken = isSuccess(submitted);
  const mayRefuse = task.ends.includes('refused') || form === 'private-name';
  if (!isTaken && mayRefuse) {
    const rule = { requirement: 'HOOK-006', aspect: 'private-refused' };
    judge.refused(submitted, { ...rule, codes: ['invalid_param'], param: 'webhook_url' });
    return { receiver, submitted, taskId: null, record: null };
  }
  must(!isTaken || task.ends.some((end) => end !== 'refused'), {
    requirement: 'HOOK-006',
    aspect: 'private-refused',
    expected: 'a submission that is refused, since its webhook_url leads to a private address',
    actual: `HTTP ${submitted.response?.status}`,
    exchange: submitted,
  });
  return { receiver, submitted, taskId: tasks.accepted(submitted).taskId, record: null };
}

/** Judges that a task ends on time with any receiver. */
async function follow(tasks: Tasks, attempt: ReceiverAttempt): Promise<ReceiverAttempt> {
  const { taskId, receiver } = attempt;
  if (taskId === null) return attempt;
  const { last } = await tasks.watch(taskId, { label: `a task with a bad receiver (${receiver.form})` });
  const expected = 'a task that ends as its job does, whatever its receiver does';
  mustSucceed(last, { requirement: 'HOOK-016', aspect: 'state-undelayed', expected });
  return { ...attempt, record: last };
}

/** Passes the time of the first attempts and one more. Held deliveries are answered in between, too late. */
async function passAttempts(
  { webhooks, clock }: CheckParts,
  attempts: readonly ReceiverAttempt[],
): Promise<void> {
  const {
    schedule_ms: waitsMs = [],
    jitter_percent: jitterPercent,
    timeout_ms: timeoutMs = 0,
  } = webhooks.rules;
  const reached = attempts.filter(
    ({ taskId, receiver }) => taskId !== null && receiver.url === receiver.inbox.url(),
  );
  await Promise.all(reached.map(({ receiver }) => receiver.inbox.events(1)));
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    const wait = waitBefore({ waitsMs, jitterPercent }, attempt);
    if (wait === null) return;
    await clock.elapse(timeoutMs + lateMs);
    for (const { receiver } of reached) if (receiver.form === 'slow') await receiver.inbox.release();
    await clock.elapse(Math.ceil(wait[1]) + lateMs);
    const due = reached.filter(
      ({ receiver: { form } }) => form !== 'gone' && form !== 'slow' && attempt <= 3,
    );
    await Promise.all(due.map(({ receiver }) => receiver.inbox.events(attempt)));
  }
}
