import { setTimeout as wait } from 'node:timers/promises';
import type { Cases } from '../../../engine/parts/cases.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { chatRequest } from '../../../engine/requests.ts';
import type { Scene } from '../../../engine/scene.ts';
import { type FaultCell, type FaultFacts, verdictOf } from '../../../oracle/faults/fault-facts.ts';
import { must } from '../../../rules/violation.ts';
import { breakerBudgetsOf } from '../../../steps/failures/breaker-budget.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import type { Rng } from '../../../values/seed.ts';
import { tlsOptionsOf } from '../../../wire/deployment-connection.ts';
import { openSlowly } from '../../../wire/slow-reader.ts';
import { carriedRequest } from '../../../wire/words.ts';
import { openAlone } from '../alone.ts';
import { judgeAlone } from '../attempt.ts';
import { chosenCells } from '../cells.ts';
import { faultMember, requestFor, scriptedReply } from '../scripted-answer.ts';
import { judgeLeft } from './client-gone.ts';

/**
 * How much of 100 MiB may be buffered between upstream and client, bytes. The sockets of the gateway, a balancer and a
 * container's port mapping count. Some systems grow a receive buffer to 6 MB, others to 32 MB.
 */
const maxAhead = 48 * 1024 * 1024;

/** A flood counts as stopped when nothing was sent for `restMs`, because a busy machine may pause for a while. */
const restMs = 1_500;
const pollMs = 300;
const timeoutMs = 15_000;

/**
 * Judges a flood: it waits while the client reads nothing, and ends when the client disconnects; the gateway survives.
 */
export async function judgeFlood(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const { cases, keys, rng } = parts;
  const budgets = breakerBudgetsOf(parts, facts.dialects);
  const cells = chosenCells(parts, facts).filter(({ dialect }) => budgets.has(dialect));
  const tried = cases.full ? cells : drawn(rng, cells);
  for (const cell of tried) {
    const model = budgets.get(cell.dialect)?.next() ?? '';
    if (cell.call === 'stream') await judgeBackpressure(parts, facts, cell, model);
    else await judgeAlone(parts, await openAlone(parts, facts, cell, model, keys.K1));
    budgets.get(cell.dialect)?.failed(model, verdictOf(facts, cell).attempts[1]);
    await servedAgain(parts, [model], { requirement: 'ERR-029', aspect: 'recovers' });
  }
}

/** One plain call and one stream, drawn by seed. */
function drawn(rng: Rng, cells: readonly FaultCell[]): FaultCell[] {
  const groups = Map.groupBy(cells, ({ call }) => call);
  return [...groups.values()].map((group) => rng.pick(group));
}

async function judgeBackpressure(
  { cases, newScene, keys, target }: CheckParts,
  facts: FaultFacts,
  cell: FaultCell,
  model: string,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const { reply, scripted } = scriptedReply(facts);
  await scene.script({ ...reply, ...faultMember(facts, cell) });
  const { path, body, headers } = chatRequest(requestFor(scene, model, scripted, cell), {}, keys.K1);
  const sent = {
    method: 'POST',
    url: new URL(path, target.profile.base_url).href,
    headers: [...Object.entries(headers ?? {}), ['content-type', 'application/json']] as [string, string][],
    body: Buffer.from(JSON.stringify(body)),
  };
  const answer = await openSlowly(carriedRequest(target.profile, sent), {
    tls: tlsOptionsOf(target.profile),
    signal: cases.signal,
  });
  const ahead = await sentAtRest(cases, scene);
  answer.leave();
  const expected = `an upstream that has to wait after at most ${maxAhead} unread bytes`;
  const actual = `it could send ${ahead}`;
  must(ahead <= maxAhead, { requirement: 'SSE-001', aspect: 'fault-backpressure', expected, actual });
  await judgeLeft(scene);
}

/** How much the upstream has sent when it stops sending. */
async function sentAtRest(cases: Cases, scene: Scene): Promise<number> {
  const until = performance.now() + timeoutMs;
  for (let [before, since] = [-1, performance.now()]; ; ) {
    const [request] = await scene.requestsNow();
    const sends = request?.entry.reply.sends ?? [];
    const bytes = sends.reduce((sum, one) => sum + one.bytes, 0);
    const nowMs = performance.now();
    if (bytes !== before) since = nowMs;
    if ((bytes > 0 && nowMs - since >= restMs) || nowMs > until) return bytes;
    before = bytes;
    await wait(pollMs, undefined, { signal: cases.signal });
  }
}
