import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Scene } from '../../../engine/scene.ts';
import type { FaultCell, FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { rowOfRefusal, rowOfText } from '../../../oracle/faults/fault-rows.ts';
import { textSoFar } from '../../../oracle/text-so-far.ts';
import { advise, must } from '../../../rules/violation.ts';
import { breakerBudgetsOf } from '../../../steps/failures/breaker-budget.ts';
import { patiently } from '../../../steps/failures/pass-timeouts.ts';
import { type Exchange, outcomeOf } from '../../../wire/exchange.ts';
import { openAlone } from '../alone.ts';
import type { Attempt } from '../attempt.ts';
import { chosenCells } from '../cells.ts';

/** The time limit for the first character, ms. */
const firstTextMs = 5_000;

/** How often to read the upstream's journal, which waits 5 s: a gateway may read the upstream to its end. */
const looks = 4;

/** Disconnects from more running streams than the cap. Upstream calls must be closed and every slot freed. */
export async function judgeClientGone(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const budgets = breakerBudgetsOf(parts, facts.dialects);
  for (const cell of chosenCells(parts, facts)) {
    const model = budgets.get(cell.dialect)?.next();
    if (model === undefined) continue;
    for (let left = 0; left <= parts.target.profile.cap.value; left += 1) {
      parts.cases.count();
      await patiently(parts, () => leave(parts, facts, cell, model));
    }
    await patiently(parts, () => judgeWholeCap(parts, model));
  }
}

async function leave(parts: CheckParts, facts: FaultFacts, cell: FaultCell, model: string): Promise<void> {
  const { live, scene } = await openAlone(parts, facts, cell, model, parts.keys.K1);
  const begun = await live.until((body) => textSoFar(body) !== '', firstTextMs);
  live.abort();
  const exchange = await live.done;
  const expected = 'a stream that begins: the earlier clients have disconnected';
  const actual = outcomeOf(exchange);
  must(begun, { requirement: 'SSE-020', aspect: 'fault-slot', expected, actual, exchange });
  await judgeLeft(scene, exchange);
}

/** Judges that an upstream call is closed, or read to its end, once the client has disconnected (reading B-36). */
export async function judgeLeft(scene: Scene, exchange?: Exchange): Promise<void> {
  let isOver = false;
  for (let look = 0; look < looks && !isOver; look += 1) isOver = await scene.ended(1);
  must(isOver, {
    requirement: 'SSE-020',
    aspect: 'fault-lingers',
    expected: 'an upstream call that is closed or read to its end once the client has disconnected',
    actual: 'its stream goes on',
    ...(exchange === undefined ? {} : { exchange }),
  });
}

async function judgeWholeCap({ target, http, newScene, judge }: CheckParts, model: string): Promise<void> {
  const calls = Array.from({ length: target.profile.cap.value }, () =>
    http.openChat(newScene().minimal(model), { label: 'every slot is free again' }),
  );
  const exchanges = await Promise.all(calls.map(({ done }) => done));
  for (const exchange of exchanges)
    judge.completed(exchange, { requirement: 'SSE-020', aspect: 'fault-slot', model });
}

/** Advises a gateway to close a connection on which nothing more can come: the text asks for no more than the answer. */
export async function judgeLetGo({ scene, live, cell }: Attempt): Promise<void> {
  const ended = await scene.ended(1);
  advise(ended, {
    requirement: rowOfText(cell),
    aspect: 'fault-lingers',
    expected: 'an upstream connection that the gateway closes after the answer',
    actual: 'it stays open',
    exchange: await live.done,
  });
}

/** Judges that no redirect was followed: it would leak the gateway's own key to another host. */
export async function judgeNotFollowed({ scene, live, verdict }: Attempt): Promise<void> {
  const hosts = (await scene.requestsNow()).map(({ headers }) => headers.get('host') ?? '');
  const elsewhere = hosts.find((host) => host !== hosts[0]);
  must(elsewhere === undefined, {
    requirement: rowOfRefusal(verdict),
    aspect: 'fault-redirect',
    expected: `requests at ${hosts[0]} alone`,
    actual: `one at ${elsewhere}`,
    exchange: await live.done,
  });
}
