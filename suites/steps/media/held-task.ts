import type { Reply } from '../../../simulators/control/client.ts';
import type { Kit } from '../../engine/kit.ts';
import type { Scene } from '../../engine/scene.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A task that was taken on, with the scene of its job. */
export interface Submitted {
  readonly scene: Scene;
  readonly taskId: string;
  readonly exchange: Exchange;
}

/** Submits a task whose job has this life at its upstream. */
export async function submitJob(
  kit: Kit,
  model: string,
  job: NonNullable<Reply['job']>,
  rule: { readonly requirement?: string; readonly aspect?: string } = {},
): Promise<Submitted> {
  const scene = kit.scene();
  await scene.script({ job });
  const exchange = await kit.media.submit(kit.media.minimal(model, scene), { label: model });
  return { scene, taskId: kit.media.accepted(exchange, rule).taskId, exchange };
}

/** A read that shows that no such task is there. */
export async function mustBeUnknown(
  kit: Kit,
  id: string,
  rule: { readonly requirement: string; readonly aspect: string },
  options: { readonly key?: string; readonly label: string; readonly twin?: Exchange },
): Promise<Exchange> {
  const { twin, ...call } = options;
  const exchange = await kit.media.read(id, call);
  kit.refused(exchange, { ...rule, codes: ['task_not_found'], twin });
  return exchange;
}
