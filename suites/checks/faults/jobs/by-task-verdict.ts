import { type Check, defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import type { JobFaultFacts } from '../../../oracle/faults/job-fault-facts.ts';
import { rowsOfJobFault } from '../../../oracle/faults/job-fault-verdict.ts';
import { restAll } from '../../../steps/failures/served-again.ts';
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
    run: (parts) => judgeJobFault(parts, facts),
  });
}

/** Submits all tasks at once, follows them to their ends, judges these, and judges that the models serve again. */
async function judgeJobFault(parts: CheckParts, facts: JobFaultFacts): Promise<void> {
  const { judge, target } = parts;
  mustHaveModels(target, facts.dialects);
  const models = new JobModels(parts, facts);
  const placed = chosenJobCells(parts, facts).flatMap((cell) => {
    const model = models.next(cell.dialect);
    if (model === null) judge.note(`no model whose upstream speaks ${cell.dialect}`);
    return model === null ? [] : [{ cell, model }];
  });
  const attempts = await Promise.all(placed.map(({ cell, model }) => openJob(parts, facts, cell, model)));
  const followed = await followAll(parts, attempts);
  for (const one of followed) await judgeEnded(parts, one);
  for (const one of followed) await judgeResults(parts, one);
  await judgeAfterExpiry(parts, followed);
  if (attempts.some(({ verdict }) => mayRest(verdict))) await restAll(parts);
  await judgeServedAgain(parts, new Set(placed.map(({ model }) => model)));
}

async function judgeServedAgain({ tasks, newScene }: CheckParts, models: ReadonlySet<string>): Promise<void> {
  const judged = [...models].map((model) =>
    tasks.make(bodyFor({ id: '' }, model, newScene()), { label: `a good task on ${model}` }),
  );
  await Promise.all(judged);
}
