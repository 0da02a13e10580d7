import { type Check, defineCheck } from '../../../engine/check.ts';
import type { Inbox } from '../../../engine/inbox.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import type { JobCell } from '../../../oracle/faults/job-fault-facts.ts';
import type { ReportFaultFacts } from '../../../oracle/faults/webhook-fault-facts.ts';
import { rowsOfReportFault } from '../../../oracle/faults/webhook-fault-verdict.ts';
import { Untestable } from '../../../rules/violation.ts';
import { quiet } from '../../../steps/webhooks/observed-task.ts';
import { type Followed, followAll } from '../jobs/follow-job.ts';
import { chosenJobCells, needsTime } from '../jobs/job-cells.ts';
import { JobModels, mustHaveModels } from '../jobs/job-model.ts';
import { judgeEnded, judgeResults } from '../jobs/judge-job.ts';
import { type JobAttempt, openJob } from '../jobs/open-job.ts';
import { titleOf } from '../title.ts';
import { beginBystander, judgeBystander } from './bystander.ts';
import { judgeOneEvent } from './one-event.ts';
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

/** @throws Untestable where upstreams get no URL for their reports. */
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
