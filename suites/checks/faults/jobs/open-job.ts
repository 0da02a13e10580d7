import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../../engine/requests.ts';
import type { Scene } from '../../../engine/scene.ts';
import {
  type JobCell,
  type JobFaultFacts,
  type TaskVerdict,
  taskVerdictOf,
} from '../../../oracle/faults/job-fault-facts.ts';
import { type Exchange, isSuccess } from '../../../wire/exchange.ts';
import { jobCellName } from './job-cells.ts';
import { bodyFor } from './job-model.ts';

/** One task that meets a fault. */
export interface JobAttempt {
  readonly facts: JobFaultFacts;
  readonly cell: JobCell;
  readonly verdict: TaskVerdict;
  readonly model: string;
  /** The scene that its job belongs to. */
  readonly scene: Scene;
  readonly label: string;
  readonly submitted: Exchange;
  /** Null when the submission was refused. */
  readonly taskId: string | null;
}

/** Sets the fault and submits the task with these additional members. */
export async function openJob(
  parts: CheckParts,
  facts: JobFaultFacts,
  cell: JobCell,
  model: string,
  more: JsonObject = {},
): Promise<JobAttempt> {
  const label = `${jobCellName(facts, cell)}, ${model}`;
  const { scene, body } = await arrange(parts, facts, model);
  await scene.script({ fault: { id: facts.id, ...(cell.form === null ? {} : { form: cell.form }) } });
  const submitted = await parts.tasks.submit({ ...body, ...more }, { label });
  const isTaken = isSuccess(submitted);
  const taskId = isTaken ? parts.tasks.accepted(submitted).taskId : null;
  return { facts, cell, verdict: taskVerdictOf(facts, cell), model, scene, label, submitted, taskId };
}

/** The body to submit. A later step is recognized by the native id of its parent's job. */
async function arrange(
  { newScene, tasks }: CheckParts,
  facts: JobFaultFacts,
  model: string,
): Promise<{ scene: Scene; body: Readonly<Record<string, unknown>> }> {
  const scene = newScene();
  const body = bodyFor(facts, model, scene);
  if (facts.id !== 'J18' || model !== 'journey-v7') return { scene, body };
  const { taskId } = await tasks.make(body, { label: `what ${model} builds on` });
  const { id } = await scene.job();
  const child = { model, action: 'upscale', parent_task_id: taskId, index: 2 };
  return { scene: scene.child(id), body: child };
}
