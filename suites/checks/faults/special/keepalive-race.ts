import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { breakerBudgetsOf } from '../../../steps/failures/breaker-budget.ts';
import { openAlone } from '../alone.ts';
import { judgeAlone } from '../attempt.ts';
import { chosenCells } from '../cells.ts';

/** The maximum number of calls until one meets a closed connection. */
const maxCalls = 8;

/**
 * Calls until one meets a pooled connection that was closed under it. That call too is served, on another connection.
 */
export async function judgeKeepaliveRace(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const budgets = breakerBudgetsOf(parts, facts.dialects);
  for (const cell of chosenCells(parts, facts)) {
    const model = budgets.get(cell.dialect)?.next();
    if (model === undefined) continue;
    let raced = false;
    for (let calls = 1; calls <= maxCalls && !raced; calls += 1) {
      const attempt = await openAlone(parts, facts, cell, model, parts.keys.K1);
      await judgeAlone(parts, attempt);
      const requests = await attempt.scene.requestsNow();
      raced = requests.some(({ entry }) => entry.reply.ended !== 'complete');
    }
    if (!raced)
      parts.judge.note(`${cell.dialect}, ${cell.call}: none of ${maxCalls} calls met a closed connection`);
  }
}
