import { expect, it } from 'vitest';
import type { Reply } from '../control/client.ts';
import { parseAnswer, rawCall, readChunks } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const deltas = ['one ', 'two ', 'ü'];

/** The chunks of a stream with that reply, as text. */
async function chunksOf(reply: Reply): Promise<readonly string[]> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [reply] });
  const raw = rawCall(simulators.base(tenant.name), {
    call: 'stream',
    body: { stream_options: { include_usage: true } },
  });
  expect(await raw.over).toBe('fin');
  const { chunks, ended } = readChunks(parseAnswer(raw.bytes()).body);
  expect(ended).toBe(true);
  return chunks.map((chunk) => chunk.toString());
}

it.each([
  ['at once', {}],
  ['at its time', { pacing: { first_ms: 5, each_ms: 5 } }],
  ['behind an opened gate before the head', { gates: [] }],
])('sends every frame as a chunk of its own: %s', async (_when, more) => {
  const chunks = await chunksOf({ deltas, ...more });
  // The role, the deltas, the finish, the usage and the mark of the end.
  expect(chunks).toHaveLength(deltas.length + 4);
  for (const chunk of chunks) expect(chunk).toMatch(/^data: [^\n]*\n\n$/);
  expect(chunks.at(-1)).toBe('data: [DONE]\n\n');
});
