import { beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { createExposureBlocks, type ExposureBlocks } from './exposure-blocks.ts';

interface Reserved {
  id: string;
  account: string;
  amount: bigint;
}

let clock: TestClock;
let reserved: Reserved[];
let givenBack: string[];
let isGranted: boolean;
let blocks: ExposureBlocks;
let next: number;
beforeEach(() => {
  clock = new TestClock(() => 0);
  reserved = [];
  givenBack = [];
  isGranted = true;
  next = 0;
  blocks = createExposureBlocks({
    timer: clock,
    newId: () => `block-${reserved.length + 1}`,
    reserve: async (id, account, amount) => {
      reserved.push({ id, account, amount });
      return isGranted;
    },
    giveBack: async (id) => void givenBack.push(id),
  });
});

const call = (amount = 10n, overshoots = true) => {
  next += 1;
  const requestId = `r${next}`;
  return {
    requestId,
    isCovered: blocks.admit({ requestId, accountId: 'a', amount, overshoots, atMs: clock.now() }),
  };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Makes the account busy, so that it gets its first block. */
async function busy(): Promise<void> {
  for (let n = 0; n < 65; n += 1) expect(call().isCovered).toBe(false);
  await settled();
}

describe('a block of credit held in advance', () => {
  it('is requested only when an account has many calls a second', async () => {
    for (let n = 0; n < 64; n += 1) call();
    await settled();
    expect(reserved).toEqual([]);
    call();
    await settled();
    expect(reserved).toEqual([{ id: 'block-1', account: 'a', amount: 640n }]);
    const { requestId, isCovered } = call();
    expect(isCovered).toBe(true);
    expect(blocks.covers(requestId)).toBe(true);
    expect(blocks.covers('r1')).toBe(false);
  });

  it('covers at most its amount, for calls at once and for calls in turn', async () => {
    await busy();
    const covered = Array.from({ length: 64 }, () => call());
    expect(covered.every(({ isCovered }) => isCovered)).toBe(true);
    expect(call().isCovered).toBe(false);
    const [first, second] = covered;
    blocks.end(first?.requestId ?? '', 10n);
    blocks.end(second?.requestId ?? '', 0n);
    expect(call().isCovered).toBe(true);
    expect(call().isCovered).toBe(false);
  });

  it('never covers a request that needs its own hold', async () => {
    await busy();
    expect(call(1n, false).isCovered).toBe(false);
  });

  it('grows for an account that needs more, and shrinks for an account that cannot spare it', async () => {
    await busy();
    for (let n = 0; n < 65; n += 1) call();
    await settled();
    expect(reserved.at(-1)?.amount).toBe(1280n);
    isGranted = false;
    await clock.advance(1_000);
    call();
    await settled();
    expect(call().isCovered).toBe(false);
    expect(reserved).toHaveLength(3);
    isGranted = true;
    await clock.advance(1_000);
    call();
    await settled();
    expect(reserved.at(-1)?.amount).toBe(320n);
    expect(call().isCovered).toBe(true);
  });

  it('is renewed every second, and released when its last covered call ends', async () => {
    await busy();
    const { requestId } = call();
    await clock.advance(1_000);
    expect(call().isCovered).toBe(true);
    await settled();
    expect(reserved).toHaveLength(2);
    expect(givenBack).toEqual([]);
    blocks.end(requestId, 3n);
    expect(givenBack).toEqual([]);
    blocks.end(`r${next}`, 3n);
    expect(givenBack).toEqual(['block-1']);
    blocks.end(requestId, 3n);
    expect(givenBack).toEqual(['block-1']);
  });

  it('covers no new call when it was not renewed for two seconds', async () => {
    const never = createExposureBlocks({
      timer: clock,
      newId: () => 'one',
      reserve: () => (isGranted ? Promise.resolve(true) : new Promise(() => {})),
      giveBack: async () => {},
    });
    const admit = (requestId: string): boolean =>
      never.admit({ requestId, accountId: 'a', amount: 1n, overshoots: true, atMs: 0 });
    for (let n = 0; n < 65; n += 1) admit(`x${n}`);
    await settled();
    isGranted = false;
    await clock.advance(1_999);
    expect(admit('soon')).toBe(true);
    await clock.advance(1);
    expect(admit('late')).toBe(false);
  });

  it('is released when its account has been quiet for a while, and on close', async () => {
    await busy();
    await clock.advance(2_500);
    await settled();
    expect(givenBack).toEqual(['block-1']);
    expect(clock.nextDue()).toBeNull();
    await busy();
    await blocks.close();
    expect(givenBack).toEqual(['block-1', 'block-2']);
    expect(call().isCovered).toBe(false);
    expect(clock.nextDue()).toBeNull();
  });
});
