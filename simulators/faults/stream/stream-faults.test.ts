import { describe, expect, it } from 'vitest';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import { type FaultCell, faultCells, meetFault, scriptedBy } from '../../testing/fault-cells.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { readBody } from '../testing/reading.ts';

const simulators = useSimulators();

const cells = [...faultFacts.values()]
  .filter(({ id }) => id.startsWith('S'))
  .flatMap(faultCells)
  // Endless programs have their own tests.
  .filter(({ verdict }) => verdict.deadline === null);

const isHarmless = ({ verdict }: FaultCell): boolean =>
  verdict.seen.join() === 'served' && verdict.text === 'whole';

/** The dialects' words for a normal ending. */
const goodEnds = ['stop', 'end_turn', 'STOP', 'tool_calls', 'tool_use'];

describe('a stream that is odd and yet whole', () => {
  it.each(cells.filter(isHarmless))('can be read in full: $title', async (cell) => {
    const { text, usage, reply } = scriptedBy(cell.facts);
    const { status, body, isWhole } = await meetFault(simulators, cell);
    const reading = readBody(body, cell.dialect, cell.call);
    expect([status, isWhole, reading.hasError]).toEqual([200, true, false]);
    expect(reading.text).toBe(text);
    expect(goodEnds).toContain(reading.finish);
    expect(reading.calls.map((call) => [call.name, call.arguments])).toEqual(
      (reply.tool_calls ?? []).map((call) => [call.name, call.arguments]),
    );
    if (cell.verdict.usage === 'reported') expect(reading.usage).toMatchObject(usage);
  });
});

describe('a stream that fails', () => {
  const failing = cells.filter(({ verdict }) => !verdict.seen.includes('served'));

  it.each(failing)('never looks like a good answer: $title', async (cell) => {
    const { text } = scriptedBy(cell.facts);
    const { status, body } = await meetFault(simulators, cell);
    expect(status).toBe(200);
    const reading = readAsFarAsItGoes(body, cell);
    const isGood = goodEnds.includes(reading?.finish ?? '') && reading?.hasError === false;
    expect(isGood).toBe(false);
    expect(text.startsWith(reading?.text ?? '')).toBe(true);
    if (cell.call === 'stream' && cell.verdict.text === 'none') expect(reading?.text ?? '').toBe('');
  });
});

/** Null when the body breaks off inside a character, an event or its JSON. */
function readAsFarAsItGoes(body: Buffer, { dialect, call }: FaultCell): ReturnType<typeof readBody> | null {
  try {
    return readBody(body, dialect, call);
  } catch {
    return null;
  }
}
