import { describe, expect, it } from 'vitest';
import { createTurns } from './next-turn.ts';

/** A simulated event loop: each piece takes its given time, each turn of other work a millisecond. */
function loopOf(): {
  turn: (bytes?: number) => Promise<void>;
  piece: (name: string, ms: number) => void;
  log: string[];
} {
  let nowMs = 1_000;
  const log: string[] = [];
  const others = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        nowMs += 1;
        if (log.at(-1) !== 'others') log.push('others');
        resolve();
      });
    });
  const turn = createTurns({
    now: () => nowMs,
    soon: others,
    sleep: async (ms) => {
      log.push(`rest ${Math.round(ms)}`);
      nowMs += ms;
      await others();
    },
  });
  const piece = (name: string, ms: number): void => {
    log.push(name);
    nowMs += ms;
  };
  return { turn, piece, log };
}

describe('work on large bodies', () => {
  it('runs one piece between two turns of other work, however many bodies there are', async () => {
    const { turn, piece, log } = loopOf();
    const body = async (name: string): Promise<void> => {
      for (let n = 0; n < 3; n += 1) {
        await turn();
        piece(name, 2);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(body));
    const pieces = log.filter((entry) => /^[abc]$/.test(entry));
    expect(pieces.toSorted().join('')).toBe('aaabbbccc');
    for (const [at, entry] of log.entries())
      if (/^[abc]$/.test(entry)) expect(log[at - 1]).not.toMatch(/^[abc]$/);
  });

  it('runs pieces of a smaller body first', async () => {
    const { turn, piece, log } = loopOf();
    const large = async (): Promise<void> => {
      for (let n = 0; n < 3; n += 1) {
        await turn();
        piece('large', 30);
      }
    };
    const small = async (): Promise<void> => {
      for (let n = 0; n < 3; n += 1) {
        await turn(100_000);
        piece('small', 2);
      }
    };
    await Promise.all([large(), large(), small()]);
    const pieces = log.filter((entry) => !/others|rest/.test(entry));
    expect(pieces).toEqual([...Array(3).fill('small'), ...Array(6).fill('large')]);
    expect(log.indexOf('rest 31')).toBeGreaterThan(log.indexOf('large'));
  });

  it('runs pieces of a smaller body while a large one rests', async () => {
    let nowMs = 0;
    const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const turn = createTurns({ now: () => nowMs, soon, sleep: () => new Promise(() => {}) });
    await turn();
    nowMs += 30;
    let isOver = false;
    void turn().then(() => {
      isOver = true;
    });
    for (let rounds = 0; rounds < 3; rounds += 1) await soon();
    await turn(100_000);
    expect(isOver).toBe(false);
  });

  it('leaves the event loop to others for as long as a piece took, up to 50 ms', async () => {
    const { turn, piece, log } = loopOf();
    for (const ms of [30, 10, 400]) {
      await turn();
      piece('piece', ms);
    }
    await turn();
    expect(log.filter((entry) => entry.startsWith('rest'))).toEqual(['rest 31', 'rest 11', 'rest 50']);
  });

  it('does not rest after short pieces, or when the event loop was idle long enough', async () => {
    const { turn, piece, log } = loopOf();
    await turn();
    piece('small', 1);
    await turn();
    piece('large', 30);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    piece('pause', 100);
    await turn();
    expect(log.filter((entry) => entry.startsWith('rest'))).toEqual([]);
  });
});
