import { describe, expect, it } from 'vitest';
import { parseJson } from '../../values/json.ts';
import { deckFor, everySubject } from '../testing/served.ts';
import { Coverage } from './coverage.ts';
import { cellKey, type FuzzCase } from './fuzz-case.ts';

const deck = deckFor();
const drawn = Array.from({ length: 400 }, (_, index) => deck.draw(index)).filter((one) => one !== null);

describe('a deck', () => {
  it('covers every cell before it repeats one', () => {
    const few = deckFor({ only: ['chat | temperature'] });
    const coverage = new Coverage(few.cells);
    expect(few.cells.length).toBeGreaterThan(20);
    for (let index = 0; index < few.cells.length; index += 1) {
      const one = few.draw(index);
      if (one !== null) coverage.add(one.cells[0]);
    }
    expect(coverage.covered).toBe(few.cells.length);
    expect(coverage.rows()).toMatchObject([{ endpoint: 'chat', field: 'temperature', open: [] }]);
    const [first, again] = [few.draw(0), few.draw(few.cells.length)].map(
      (one) => one && cellKey(one.cells[0]),
    );
    expect([first, again].every((key) => key?.startsWith('chat | temperature'))).toBe(true);
  });

  it('draws the same case from the same seed, in any order', () => {
    const other = deckFor();
    for (const one of drawn.slice(0, 60).toReversed())
      expect(other.draw(one.index)?.request).toEqual(one.request);
    expect(deckFor({ seed: 8 }).draw(0)?.request).not.toEqual(drawn[0]?.request);
  });

  it('never sends the undamaged body as a damaged one', () => {
    const sound = (one: FuzzCase): boolean =>
      one.tree !== null &&
      one.certainty === 'refuse' &&
      one.request.body.equals(Buffer.from(JSON.stringify(one.sound)));
    expect(drawn.filter(sound)).toEqual([]);
    expect(drawn.filter(({ cells }) => cells.length > 1).length).toBeGreaterThan(10);
  });

  it('is certain about damage that no parser may accept', () => {
    const unreadable = drawn.filter(
      ({ tree, request }) => tree !== null && parseJson(String(request.body)) === undefined,
    );
    expect(unreadable.length).toBeGreaterThan(30);
    // Node accepts invalid UTF-8 and reads it as other characters.
    expect(unreadable.filter(({ certainty }) => certainty === 'open')).toEqual([]);
  });

  it('keeps at least one certain fault when several kinds of damage are combined', () => {
    const spoilt = deckFor({ seed: 1, only: ['name without quotes', 'name in single quotes'] });
    const several = Array.from({ length: 1_000 }, (_, index) => spoilt.draw(index)).filter(
      (one) => one !== null && one.cells.length > 1 && one.certainty === 'refuse',
    );
    expect(several.length).toBeGreaterThan(30);
    expect(several.filter((one) => parseJson(String(one?.request.body)) !== undefined)).toEqual([]);
    const streams = deckFor({ seed: 1, only: ['chat | messages[].content | prone'] });
    for (let index = 0; index < 300; index += 1) {
      const one = streams.draw(index);
      if (one?.cells.some(({ field }) => field === 'stream')) expect(one.stream).toBe(false);
    }
  });

  it('finds a legal body for nearly every cell', () => {
    const rare = deckFor({ only: ['images | '] }, everySubject);
    const none = rare.cells.filter((_, index) => rare.draw(index) === null);
    expect(none.length / rare.cells.length).toBeLessThan(0.02);
  });
});
