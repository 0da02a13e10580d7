import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges that a task ended in SUCCESS. */
export function mustSucceed(
  { status, error, exchange }: TaskRecord,
  rule: { readonly requirement: string; readonly aspect: string; readonly expected: string },
  twin?: Exchange,
): void {
  must(status === 'SUCCESS', { ...rule, actual: `${status} ${error?.code ?? ''}`, exchange, twin });
}
