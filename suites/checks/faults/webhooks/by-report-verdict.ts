import { type Check, defineCheck } from '../../../engine/check.ts';
import type { Inbox } from '../../../engine/inbox.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Tasks } from '../../../engine/parts/tasks.ts';
import type { Scene } from '../../../engine/scene.ts';
import { faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import type { JobCell } from '../../../oracle/faults/job-fault-facts.ts';
import type { ReportFaultFacts } from '../../../oracle/faults/webhook-fault-facts.ts';
import { rowsOfReportFault } from '../../../oracle/faults/webhook-fault-verdict.ts';
import { distinctEvents, judgeNone } from '../../../oracle/webhooks/one-event.ts';
import { must, Untestable } from '../../../rules/violation.ts';
import { submitJob } from '../../../steps/media/held-task.ts';
import { mustSucceed } from '../../../steps/media/own-tasks.ts';
import { judged, quiet } from '../../../steps/webhooks/observed-task.ts';
import { type Followed, followAll } from '../jobs/follow-job.ts';
import { chosenJobCells, needsTime } from '../jobs/job-cells.ts';
import { JobModels, mustHaveModels } from '../jobs/job-model.ts';
import { judgeEnded, judgeResults } from '../jobs/judge-job.ts';
import { type JobAttempt, openJob } from '../jobs/open-job.ts';
import { titleOf } from '../title.ts';
import { judgeReported } from './reported.ts';

/** A task whose reports have a fault, with the inbox for its event where it has one. */
interface ReportedAttempt {
  readonly attempt: JobAttempt;
  readonly inbox: Inbox | null;
}

/** The check of a fault of reports, made from its verdict. */
export function checkByReportVerdict(facts: ReportFaultFacts): Check {
  const timed = needsTime(facts);
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: rowsOfReportFault(facts),
    kind: 'upstream',
    needs: timed ? ['upstream.control', 'time'] : ['upstream.control'],
    ...(timed ? { clock: 'jump' as const } : {}),
    run: (parts) => judgeReportFault(parts, facts),
  });
}

/** Follows all tasks to their ends, awaits all reports, and judges their answers and that they changed nothing. */
async function judgeReportFault(parts: CheckParts, facts: ReportFaultFacts): Promise<void> {
  mustHaveModels(parts.target, facts.dialects);
  const models = new JobModels(parts, facts);
  const placed = chosenJobCells(parts, facts).flatMap((cell) => {
    const model = models.next(cell.dialect);
    return model === null ? [] : [{ cell, model }];
  });
  const [first] = placed;
  const bystander =
    facts.id === 'W7' && first !== undefined
      ? await beginBystander(
          parts,
          placed.map(({ model }) => model),
        )
      : [];
  const scripted = await Promise.all(
    placed.map(({ cell, model }) => openReported(parts, facts, cell, model)),
  );
  await mustReport(scripted);
  const followed = await followAll(
    parts,
    scripted.map(({ attempt }) => attempt),
  );
  for (const one of followed) await judgeEnded(parts, one);
  for (const one of followed) await judgeReported(parts, facts, one);
  // An unwanted event would arrive by now.
  await quiet(parts);
  for (const [place, one] of followed.entries())
    await judgeAfterwards(parts, one, scripted[place]?.inbox ?? null);
  await judgeBystander(parts.tasks, bystander);
}

async function openReported(
  parts: CheckParts,
  facts: ReportFaultFacts,
  cell: JobCell,
  model: string,
): Promise<ReportedAttempt> {
  const inbox = parts.webhooks.isThere ? await parts.webhooks.inbox() : null;
  const more = inbox === null ? {} : { webhook_url: inbox.url() };
  return { attempt: await openJob(parts, facts, cell, model, more), inbox };
}

/**
 * Requires that upstreams get a URL for their reports.
 * @throws Untestable where no upstream gets one.
 */
async function mustReport(scripted: readonly ReportedAttempt[]): Promise<void> {
  const submits = await Promise.all(scripted.map(({ attempt }) => attempt.scene.requests()));
  if (submits.every((requests) => requests.every(({ json }) => typeof json.callback_url !== 'string')))
    throw new Untestable('upstreams that get a callback_url');
}

/** Late reports must leave an ended task unchanged: once recorded, with one price and one event. */
async function judgeAfterwards(parts: CheckParts, followed: Followed, inbox: Inbox | null): Promise<void> {
  const { record } = followed;
  if (record !== null) parts.tasks.record(await parts.tasks.read(record.taskId), record.taskId);
  await judgeResults(parts, followed);
  if (inbox !== null) await judgeOneEvent(parts, followed, inbox);
}

/** A healthy task in flight, which false reports may name. */
interface Bystander {
  readonly taskId: string;
  readonly scene: Scene;
}

/** Starts a task on each model. Their jobs continue until they are scripted to end. */
async function beginBystander(parts: CheckParts, models: readonly string[]): Promise<readonly Bystander[]> {
  return Promise.all(
    [...new Set(models)].map(async (model) => {
      const { scene, taskId } = await submitJob(parts, model, { hold: 'running' });
      await scene.job();
      return { scene, taskId };
    }),
  );
}

/** Judges that they end as their own jobs do. */
async function judgeBystander(tasks: Tasks, bystanders: readonly Bystander[]): Promise<void> {
  await Promise.all(
    bystanders.map(async ({ taskId, scene }) => {
      await scene.moveJob(await scene.job(), { end: 'success' });
      const { last } = await tasks.follow(taskId, { label: 'a task that a false report named' });
      const expected = 'a task that ends as its own job does, despite reports under another name';
      mustSucceed(last, { requirement: 'STATE-005', aspect: 'fault-survived', expected });
    }),
  );
}

/** Judges that a task's end causes one event, even if the upstream reports it several times. */
async function judgeOneEvent(
  parts: CheckParts,
  { attempt, end, record }: Followed,
  inbox: Inbox,
): Promise<void> {
  if (end === null || end === 'refused' || attempt.taskId === null) return;
  const [event] = await inbox.events();
  must(event !== undefined, {
    requirement: 'HOOK-001',
    aspect: `sent-on-${end.toLowerCase()}`,
    expected: `an event of a task that has ended in ${end}`,
    actual: `none within ${parts.webhooks.rules.within_ms} ms`,
    exchange: attempt.submitted,
  });
  judged(parts, event, { taskId: attempt.taskId, status: end, record });
  judgeNone(distinctEvents(await inbox.eventsNow()).slice(1), {
    requirement: 'STATE-010',
    aspect: 'no-second-event',
    expected: 'one event for the end, whatever the upstream reports',
  });
}
