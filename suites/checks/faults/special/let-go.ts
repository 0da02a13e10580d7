import { rowOfText } from '../../../oracle/faults/fault-rows.ts';
import { must } from '../../../rules/violation.ts';
import type { Attempt } from '../attempt.ts';

/** Judges that the gateway closes a connection on which nothing more can come. */
export async function judgeLetGo({ scene, live, cell }: Attempt): Promise<void> {
  const ended = await scene.ended(1);
  must(ended, {
    requirement: rowOfText(cell),
    aspect: 'fault-lingers',
    expected: 'an upstream connection that the gateway closes after the answer',
    actual: 'it stays open',
    exchange: await live.done,
  });
}
