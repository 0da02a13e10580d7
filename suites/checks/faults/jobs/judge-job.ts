import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Judge } from '../../../engine/parts/judge.ts';
import { rowOfRefusal } from '../../../oracle/faults/fault-rows.ts';
import {
  judgeEnd,
  judgeJobs,
  judgeLength,
  judgeNothingRaw,
  judgeTaskCode,
} from '../../../oracle/faults/job-fault-verdict.ts';
import type { TaskRecord } from '../../../oracle/media/task-answer.ts';
import { asMisfit, must, revising } from '../../../rules/violation.ts';
import { judgeTaskCharge } from './charge.ts';
import type { Followed } from './follow-job.ts';
import { secondsMade } from './job-model.ts';
import type { JobAttempt } from './open-job.ts';

/** Longer than the links of an upstream live under a fault that shortens them, ms. */
const beyondLinksMs = 61_000;

/** Judges how a task with a fault ended, and adds to a violation what happened at the upstream. */
export async function judgeEnded({ cases, judge }: CheckParts, followed: Followed): Promise<void> {
  cases.count();
  const { attempt, exchange } = followed;
  const jobs = await attempt.scene.jobs(attempt.verdict.jobs[0]);
  const answers = await answersAbout(attempt, jobs);
  const bodies = answers.map((body) => body.toString('utf8').slice(0, 300)).join('\n') || 'no answer';
  revising(
    (finding) => ({ ...finding, upstream: finding.upstream ?? bodies }),
    () => {
      const own = attempt.submitted.request.body.toString('utf8');
      judgeNothingRaw(answers, own, [attempt.submitted, exchange]);
      judgeEnd(followed, attempt.verdict);
      judgeRefused(judge, attempt);
      judgeTaskCode(followed, attempt.verdict);
      judgeJobs(jobs.length, attempt.verdict, exchange);
    },
  );
}

/** Judges the results and the charge of a task that met a fault. */
export async function judgeResults(parts: CheckParts, followed: Followed): Promise<void> {
  const { attempt, end, record } = followed;
  if (end === 'SUCCESS' && record !== null) await judgeMade(parts, attempt, record);
  await judgeTaskCharge(parts, followed);
}

function judgeRefused(judge: Judge, { taskId, submitted, verdict }: JobAttempt): void {
  if (taskId !== null) return;
  judge.refused(submitted, {
    requirement: rowOfRefusal(verdict),
    aspect: 'fault-code',
    codes: verdict.codes,
  });
}

/** The upstream's answers to the task's submission and polls. */
async function answersAbout(
  { scene, facts }: JobAttempt,
  jobs: readonly { readonly id: string }[],
): Promise<Buffer[]> {
  const submits = await scene.requestsNow();
  const [first] = submits;
  const fault = first?.entry.reply.fault;
  if (first !== undefined && fault?.id !== facts.id)
    throw new Error(
      `the simulators should have sent ${facts.id} but sent status ${first.entry.reply.status}`,
    );
  if (fault?.misfit !== undefined) throw asMisfit(facts.id, fault.misfit);
  const questions = await Promise.all(jobs.map(({ id }) => scene.questionsAfter(id)));
  return [...submits, ...questions.flat()].map(({ entry }) => Buffer.from(entry.reply.body_base64, 'base64'));
}

/** Results can be fetched for as long as declared, and longer than the upstream keeps them. */
async function judgeMade(
  { tasks, clock }: CheckParts,
  { facts, cell, model, verdict }: JobAttempt,
  record: TaskRecord,
): Promise<void> {
  if (facts.id === 'J15' && tasks.showsLength) judgeLength(record, secondsMade(facts, cell.form, model) ?? 0);
  // One composed image may hold all four (reading B-64).
  must(facts.id !== 'J14' || [1, 4].includes(record.resultUrls.length), {
    requirement: 'STATE-005',
    aspect: 'fault-part',
    expected: 'all four images in result_urls',
    actual: `${record.resultUrls.length} of them`,
    exchange: record.exchange,
  });
  await tasks.results(record);
  if (verdict.links !== 'last') return;
  await clock.elapse(beyondLinksMs);
  const again = tasks.record(await tasks.read(record.taskId), record.taskId);
  await tasks.results(again);
}
