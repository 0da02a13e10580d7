import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** An accepted task, with the scene of its job. */
export interface Submitted {
  readonly scene: Scene;
  readonly taskId: string;
  readonly exchange: Exchange;
}

/** Submits a task whose upstream job goes through the given states. */
export async function submitJob(
  { newScene, tasks }: CheckParts,
  model: string,
  job: NonNullable<Reply['job']>,
  rule: { readonly requirement?: string; readonly aspect?: string } = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Submitted> {
  const scene = newScene();
  await scene.script({ job });
  const exchange = await tasks.submit({ ...scene.minimalMedia(model), ...more }, { label: model });
  return { scene, taskId: tasks.accepted(exchange, rule).taskId, exchange };
}

/** Reads a task and judges that the answer is that of an unknown task. */
export async function mustBeUnknown(
  { tasks, judge }: CheckParts,
  id: string,
  rule: { readonly requirement: string; readonly aspect: string },
  options: { readonly key?: string; readonly label: string; readonly twin?: Exchange },
): Promise<Exchange> {
  const { twin, ...call } = options;
  const exchange = await tasks.read(id, call);
  judge.refused(exchange, { ...rule, codes: ['task_not_found'], twin });
  return exchange;
}

/**
 * How far before and after a declared time of expiry to judge, ms. Real time passes while the clock is moved, on a
 * busy machine over half a minute.
 */
export function expiryMarginMs(declaredMs: number): number {
  return Math.min(60_000, declaredMs / 5);
}
