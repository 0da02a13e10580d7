import type { Scene } from '../../engine/scene.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The rows that are broken by steps with one task or job for several, and by a job for a refused one. */
export interface OwnRows {
  readonly shared: string;
  readonly refused: string;
}

/** Judges that an accepted step has another task than those before it, and adds it to them. */
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

/** Judges that the upstream has as many jobs as steps were accepted, and so none for a refused one. */
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
