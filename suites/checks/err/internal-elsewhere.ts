import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const rule = { requirement: 'ERR-032', aspect: 'provoked-elsewhere' };

/** The calls, besides the core chat path, to make while the store is stopped. */
export interface Elsewhere {
  readonly ways: readonly WayIn[];
  /** A task that has succeeded; null where the deployment has no task model. */
  readonly taskId: string | null;
}

/** Prepares the calls: while the store is stopped, nothing can be found out. */
export async function elsewhereOf(parts: CheckParts): Promise<Elsewhere> {
  const { newScene, tasks } = parts;
  const ways = (await waysOf(parts)).filter(({ name }) => name !== 'core');
  const submits = ways.find(({ name }) => name === 'tasks');
  if (submits === undefined) return { ways, taskId: null };
  const { taskId } = await tasks.make(submits.body(newScene()), { label: 'a task to read' });
  return { ways, taskId };
}

/** Judges every other endpoint while the store is stopped. Reads may be answered from memory. */
export async function judgeElsewhere(parts: CheckParts, { ways, taskId }: Elsewhere): Promise<void> {
  const { cases, newScene, judge, tasks, http } = parts;
  for (const way of ways)
    await part(async () => {
      cases.count();
      const label = `the store is stopped, ${wayLabel(way)}`;
      judgeCall(parts, await way.send(parts, way.body(newScene()), { label }));
    });
  const reads = [
    () => http.get('/api/v1/models', { label: 'the store is stopped, the list of models' }),
    ...(taskId === null ? [] : [() => tasks.read(taskId, { label: 'the store is stopped, a task' })]),
  ];
  for (const read of reads)
    await part(async () => {
      cases.count();
      const exchange = await read();
      if (isSuccess(exchange)) judge.note('a read is answered while the store is stopped');
      else judge.refused(exchange, { ...rule, codes: ['internal_error'] });
    });
}

/** Judges that the task is still there once the store is back. */
export async function judgeTaskKept({ tasks }: CheckParts, { taskId }: Elsewhere): Promise<void> {
  if (taskId === null) return;
  const exchange = await tasks.read(taskId, { label: 'the store is back, the task' });
  tasks.record(exchange, taskId, { requirement: 'ERR-032', aspect: 'task-kept' });
}

/** A stream may begin before the failure is found. Then its error event is judged (reading B-35). */
function judgeCall({ judge }: CheckParts, exchange: Exchange): void {
  if (!isSuccess(exchange)) {
    judge.refused(exchange, { ...rule, codes: ['internal_error'], param: null });
    return;
  }
  const { body, complete } = exchange.response;
  must(!complete || body.includes('"internal_error"'), {
    ...rule,
    expected: 'internal_error: the declared hook has stopped the store',
    actual: 'a good answer while the store is stopped',
    exchange,
  });
}
