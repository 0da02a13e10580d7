import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultFacts, verdictOf } from '../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../oracle/faults/fault-rows.ts';
import { must } from '../../rules/violation.ts';
import { breakerBudgetsOf } from '../../steps/failures/breaker-budget.ts';
import { outcomeOf } from '../../wire/exchange.ts';
import { assertFaulty } from './attempt.ts';
import { cellName, cellsWhere } from './cells.ts';
import { faultMember, requestFor, scriptedReply } from './scripted-answer.ts';

/** More failures in a row than any breaker allows. */
const manyTimes = 12;

/**
 * Judges that a failure that is not the channel's fault does not count: after a dozen, calls still reach the upstream.
 */
export async function judgeIgnored(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const { rng, newScene, http, judge } = parts;
  const cells = cellsWhere(facts, ({ breaker, seen }) => breaker === 'ignored' && !seen.includes('served'));
  const budgets = breakerBudgetsOf(parts, facts.dialects);
  const possible = cells.filter(({ dialect }) => budgets.has(dialect));
  if (possible.length === 0) return;
  const cell = rng.pick(possible);
  const verdict = verdictOf(facts, cell);
  const model = budgets.get(cell.dialect)?.next() ?? '';
  const requirement = verdict.codes[0] === 'content_filter' ? 'ROUTE-013' : rowOfRefusal(verdict);
  const { reply, scripted } = scriptedReply(facts);
  for (let times = 1; times <= manyTimes; times += 1) {
    const scene = newScene();
    await scene.script({ ...reply, ...faultMember(facts, cell) });
    const label = `${cellName(facts, cell)}, ${model}, time ${times} in a row`;
    const exchange = await http.chat(requestFor(scene, model, scripted, cell), { label });
    const [request] = await scene.requestsNow();
    const expected = 'a request at the upstream, whose channel was not at fault before';
    const actual = `none, and ${outcomeOf(exchange)} after ${times - 1} such failures`;
    must(request !== undefined, { requirement, aspect: 'breaker-ignored', expected, actual, exchange });
    assertFaulty(facts, request);
  }
  const good = await http.chat(newScene().minimal(model), { label: `a good call on ${model}` });
  judge.completed(good, { requirement, aspect: 'breaker-ignored', model });
}
