import { setTimeout as wait } from 'node:timers/promises';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { chatRequest } from '../../../engine/requests.ts';
import type { Scene } from '../../../engine/scene.ts';
import { type FaultCell, type FaultFacts, verdictOf } from '../../../oracle/faults/fault-facts.ts';
import { must } from '../../../rules/violation.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import { strainsOf } from '../../../steps/failures/strain.ts';
import { openSlowly } from '../../../wire/slow-reader.ts';
import { openAlone } from '../alone.ts';
import { judgeAlone } from '../attempt.ts';
import { chosenCells } from '../cells.ts';
import { faultMember, requestFor, toldReply } from '../told.ts';

/** What buffers on the way may hold of 100 MiB that nobody reads, bytes: sockets on both sides of a gateway or two. */
const maxAhead = 24 * 1024 * 1024;

/** The flood has come to rest when this long nothing more was sent, ms; and how long that may take. */
const restMs = 400;
const patienceMs = 15_000;

/**
 * Lets the upstream flood the gateway: while the client reads nothing the upstream has to wait, and when it leaves the
 * upstream is let go. Read in full the flood ends in one of the ways of the verdict, and the gateway lives.
 */
export async function judgeFlood(kit: CheckParts, facts: FaultFacts): Promise<void> {
  const strains = strainsOf(kit, facts.dialects);
  const cells = chosenCells(kit, facts).filter(({ dialect }) => strains.has(dialect));
  const tried = kit.cases.full ? cells : drawn(kit, cells);
  for (const cell of tried) {
    const model = strains.get(cell.dialect)?.next() ?? '';
    if (cell.call === 'stream') await judgeBackpressure(kit, facts, cell, model);
    else await judgeAlone(kit, await openAlone(kit, facts, cell, model, kit.keys.K1));
    strains.get(cell.dialect)?.failed(model, verdictOf(facts, cell).attempts[1]);
    await servedAgain(kit, [model], { requirement: 'ERR-029', aspect: 'recovers' });
  }
}

/** A plain call and a stream. */
function drawn(kit: CheckParts, cells: readonly FaultCell[]): FaultCell[] {
  const groups = Map.groupBy(cells, ({ call }) => call);
  return [...groups.values()].map((group) => kit.rng.pick(group));
}

async function judgeBackpressure(
  kit: CheckParts,
  facts: FaultFacts,
  cell: FaultCell,
  model: string,
): Promise<void> {
  kit.cases.count();
  const scene = kit.newScene();
  const { reply, told } = toldReply(facts);
  await scene.script({ ...reply, ...faultMember(facts, cell) });
  const { path, body, headers } = chatRequest(requestFor(scene, model, told, cell), {}, kit.keys.K1);
  const sent = {
    method: 'POST',
    url: new URL(path, kit.target.profile.base_url).href,
    headers: [...Object.entries(headers ?? {}), ['content-type', 'application/json']] as [string, string][],
    body: Buffer.from(JSON.stringify(body)),
  };
  const answer = await openSlowly(sent, {
    caPath: kit.target.profile.tls.ca ?? null,
    signal: kit.cases.signal,
  });
  const ahead = await sentAtRest(kit, scene);
  answer.leave();
  must(ahead <= maxAhead, {
    requirement: 'SSE-001',
    aspect: 'fault-backpressure',
    expected: `an upstream that has to wait after at most ${maxAhead} bytes that nobody reads`,
    actual: `it could send ${ahead}`,
  });
  must(await scene.ended(1), {
    requirement: 'SSE-020',
    aspect: 'fault-lingers',
    expected: 'an upstream that is let go once the client has left',
    actual: 'it goes on sending',
  });
}

/** How much the upstream has sent once it sends no more. */
async function sentAtRest(kit: CheckParts, scene: Scene): Promise<number> {
  const until = performance.now() + patienceMs;
  for (let before = -1; ; ) {
    const [request] = await scene.requestsNow();
    const sends = request?.entry.reply.sends ?? [];
    const bytes = sends.reduce((sum, one) => sum + one.bytes, 0);
    if ((bytes === before && bytes > 0) || performance.now() > until) return bytes;
    before = bytes;
    await wait(restMs, undefined, { signal: kit.cases.signal });
  }
}
