import { expect, it } from 'vitest';
import { parseAnswer, rawCall, readChunks } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const deltas = Array.from({ length: 25 }, (_, k) => `delta ${k};`);
const triesOfEach = 12;

/** One stream, cut after `after` deltas: the deltas that arrived completely, and how the connection ended. */
async function cutStream(after: number, by: 'fin' | 'rst', eachMs: number): Promise<[string[], string]> {
  const tenant = simulators.control.tenant(`cut-${after}-${by}-${eachMs}`);
  const raw = rawCall(simulators.base(tenant.name), { call: 'stream' });
  const how = await raw.over;
  const { chunks } = readChunks(parseAnswer(raw.bytes()).body);
  const contents = chunks.map((chunk) => /"content":"(delta \d+;)"/.exec(chunk.toString())?.[1] ?? null);
  // A partial chunk would exceed what the script allows to send.
  const whole = chunks.reduce((sum, { length }) => sum + length + length.toString(16).length + 4, 0);
  expect(parseAnswer(raw.bytes()).body).toHaveLength(whole);
  return [contents.filter((content) => content !== null), how];
}

it('delivers exactly N deltas in 1,008 cuts, for N from 0 to 20, by FIN and RST, with and without latency', async () => {
  let tries = 0;
  for (const [eachMs, by] of [
    [0, 'fin'],
    [0, 'rst'],
    [1, 'fin'],
    [1, 'rst'],
  ] as const) {
    for (let after = 0; after <= 20; after += 1) {
      const tenant = simulators.control.tenant(`cut-${after}-${by}-${eachMs}`);
      const pacing = { first_ms: eachMs, each_ms: eachMs };
      await tenant.script({ replies: [{ deltas, pacing, cut: { after, by } }] });
      const cuts = await Promise.all(Array.from({ length: triesOfEach }, () => cutStream(after, by, eachMs)));
      tries += cuts.length;
      const expected = [deltas.slice(0, after), by === 'fin' ? 'fin' : 'ECONNRESET'];
      expect(cuts).toEqual(cuts.map(() => expected));
    }
  }
  expect(tries).toBe(1008);
});
