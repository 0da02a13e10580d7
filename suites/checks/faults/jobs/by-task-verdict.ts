import { type Check, defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import type { JobFaultFacts } from '../../../oracle/faults/job-fault-facts.ts';
import { rowsOfJobFault } from '../../../oracle/faults/job-fault-verdict.ts';
import { restMs } from '../../../steps/failures/served-again.ts';
import { titleOf } from '../title.ts';
import { followAll } from './follow-job.ts';
import { chosenJobCells, mayRest, needsTime } from './job-cells.ts';
import { bodyFor, JobModels, mustHaveModels } from './job-model.ts';
import { judgeEnded, judgeResults } from './judge-job.ts';
import { judgeAfterExpiry } from './late-end.ts';
import { openJob } from './open-job.ts';

/** The check of a fault of jobs, made from its verdict. */
export function checkByTaskVerdict(facts: JobFaultFacts): Check {
  const timed = needsTime(facts);
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: rowsOfJobFault(facts),
    kind: 'upstream',
    needs: timed ? ['upstream.control', 'time'] : ['upstream.control'],
    ...(timed ? { clock: 'jump' as const } : {}),
    run: (kit) => judgeJobFault(kit, facts),
  });
}

/** Hands in all tasks at once, follows them to their ends, and judges these and whether the models serve again. */
async function judgeJobFault(kit: CheckParts, facts: JobFaultFacts): Promise<void> {
  mustHaveModels(kit, facts.dialects);
  const models = new JobModels(kit, facts);
  const placed = chosenJobCells(kit, facts).flatMap((cell) => {
    const model = models.next(cell.dialect);
    if (model === null) kit.judge.note(`no model whose upstream speaks ${cell.dialect}`);
    return model === null ? [] : [{ cell, model }];
  });
  const attempts = await Promise.all(placed.map(({ cell, model }) => openJob(kit, facts, cell, model)));
  const followed = await followAll(kit, attempts);
  for (const one of followed) await judgeEnded(kit, one);
  for (const one of followed) await judgeResults(kit, one);
  await judgeAfterExpiry(kit, followed);
  if (attempts.some(({ verdict }) => mayRest(verdict))) await kit.clock.elapse(restMs(kit));
  await judgeServedAgain(kit, new Set(placed.map(({ model }) => model)));
}

async function judgeServedAgain(kit: CheckParts, models: ReadonlySet<string>): Promise<void> {
  const judged = [...models].map((model) =>
    kit.tasks.make(bodyFor({ id: '' }, model, kit.newScene()), { label: `a good task on ${model}` }),
  );
  await Promise.all(judged);
}
