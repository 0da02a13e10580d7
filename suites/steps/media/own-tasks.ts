import type { Scene } from '../../engine/scene.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The rules that are broken when steps share a task or job, and when a refused step has a job. */
export interface OwnRows {
  readonly shared: string;
  readonly refused: string;
}

/** Judges that an accepted step has another task than earlier steps, and adds it to them. */
export function judgeOwnId(
  accepted: Map<string, Exchange>,
  taskId: string,
  exchange: Exchange,
  { shared }: OwnRows,
): void {
  const twin = accepted.get(taskId);
  const rule = { requirement: shared, aspect: 'own-id', exchange, twin };
  const expected = 'a task_id of its own for each step';
  must(twin === undefined, { ...rule, expected, actual: `${taskId}, the id of an earlier step` });
  accepted.set(taskId, exchange);
}

/** Judges that the upstream has one job for each accepted step, and none for refused ones. */
export async function judgeOwnJobs(
  child: Scene,
  count: number,
  accepted: readonly Exchange[],
  rows: OwnRows,
): Promise<void> {
  const isMore = count > accepted.length;
  must(count === accepted.length, {
    requirement: isMore ? rows.refused : rows.shared,
    aspect: isMore ? 'nothing-made' : 'own-job',
    expected: `${accepted.length} jobs at the upstream, one for each step that was accepted`,
    actual: `${count}`,
    exchange: accepted.at(-1),
    upstream: (await child.requestsNow()).at(-1)?.text,
  });
}

/** Judges that a task ended in SUCCESS. */
export function mustSucceed(
  { status, error, exchange }: TaskRecord,
  rule: { readonly requirement: string; readonly aspect: string; readonly expected: string },
  twin?: Exchange,
): void {
  must(status === 'SUCCESS', { ...rule, actual: `${status} ${error?.code ?? ''}`, exchange, twin });
}
