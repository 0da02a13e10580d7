import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { GroupCommit, GroupCommitClosed, GroupCommitFull } from './group-commit.ts';

class ConnectionLost extends Error {}

/** A database whose commits wait for `release`, and that rejects the rows marked bad. */
class FakeDatabase {
  readonly batches: number[][] = [];
  readonly durable: number[] = [];
  lostFrom = Number.POSITIVE_INFINITY;
  bad: (row: number) => boolean = () => false;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => {};
  inFlight = 0;
  inFlightMax = 0;

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  release(): void {
    this.#open();
    this.#gate = Promise.resolve();
  }

  async commit(rows: readonly number[]): Promise<string[]> {
    this.batches.push([...rows]);
    this.inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight);
    await this.#gate;
    this.inFlight -= 1;
    if (this.batches.length >= this.lostFrom) {
      throw new ConnectionLost('connection lost');
    }
    if (rows.some(this.bad)) {
      throw new Error(`bad row ${rows.find(this.bad)}`);
    }
    this.durable.push(...rows);
    return rows.map((row) => `result of ${row}`);
  }
}

function groupOver(
  database: FakeDatabase,
  limits: { batchMax?: number; queueMax?: number; inFlightMax?: number } = {},
): GroupCommit<number, string> {
  return new GroupCommit({
    commit: (rows) => database.commit(rows),
    isConnectionFailure: (error) => error instanceof ConnectionLost,
    ...limits,
  });
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

describe('GroupCommit', () => {
  it('commits 1,000 rows that are added at once in ten batches, in order', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database);
    await Promise.all(numbers(0, 1_000).map((row) => group.add(row)));
    expect(database.batches).toHaveLength(10);
    expect(database.durable).toEqual(numbers(0, 1_000));
  });

  it('starts a second batch only when enough rows wait for it', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database, { inFlightMax: 2 });
    database.hold();
    const rows = [group.add(0)];
    await Promise.resolve();
    await Promise.resolve();
    rows.push(...numbers(1, 8).map((row) => group.add(row)));
    await Promise.resolve();
    expect(database.batches).toEqual([[0]]);
    rows.push(group.add(8));
    await Promise.resolve();
    rows.push(...numbers(9, 40).map((row) => group.add(row)));
    await Promise.resolve();
    expect(database.batches).toEqual([[0], numbers(1, 9)]);
    database.release();
    expect(await Promise.all(rows)).toEqual(numbers(0, 40).map((row) => `result of ${row}`));
    await group.drain();
    expect(database.inFlightMax).toBe(2);
    expect(database.durable.toSorted((a, b) => a - b)).toEqual(numbers(0, 40));
  });

  it('keeps one batch in flight and puts rows that arrive meanwhile into the next', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database);
    database.hold();
    const first = group.add(0);
    await Promise.resolve();
    await Promise.resolve();
    const later = numbers(1, 31).map((row) => group.add(row));
    expect(database.batches).toEqual([[0]]);
    database.release();
    await Promise.all([first, ...later]);
    expect(database.batches).toEqual([[0], numbers(1, 31)]);
    expect(database.inFlightMax).toBe(1);
  });

  it('resolves a row only after its batch has committed', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database);
    database.hold();
    let acknowledged = false;
    const added = group.add(1).then(() => {
      acknowledged = true;
    });
    await new Promise(setImmediate);
    expect(acknowledged).toBe(false);
    database.release();
    await added;
    expect(database.durable).toEqual([1]);
  });

  it('rejects exactly the bad rows and returns each other row its own result', async () => {
    const rows = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 20 }), async (isBad, batchMax) => {
        const database = new FakeDatabase();
        database.bad = (row) => isBad[row] === true;
        const group = groupOver(database, { batchMax });
        const outcomes = await Promise.allSettled(isBad.map((_, row) => group.add(row)));
        expect(
          outcomes.map((outcome) => (outcome.status === 'rejected' ? 'rejected' : outcome.value)),
        ).toEqual(isBad.map((bad, row) => (bad ? 'rejected' : `result of ${row}`)));
        expect(database.durable).toEqual(numbers(0, isBad.length).filter((row) => isBad[row] !== true));
      }),
      { seed: 11 },
    );
  });

  it('rejects the whole batch when the connection fails, without retrying row by row', async () => {
    const database = new FakeDatabase();
    database.lostFrom = 1;
    const group = groupOver(database);
    const outcomes = await Promise.allSettled(numbers(0, 50).map((row) => group.add(row)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(database.batches).toHaveLength(1);
  });

  it('stops retrying row by row when the connection fails during the retries', async () => {
    const database = new FakeDatabase();
    database.bad = (row) => row === 1;
    database.lostFrom = 4;
    const group = groupOver(database);
    const outcomes = await Promise.allSettled(numbers(0, 5).map((row) => group.add(row)));
    expect(database.batches).toEqual([numbers(0, 5), [0], [1], [2]]);
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'durable')),
    ).toEqual(['durable', 'bad row 1', 'connection lost', 'connection lost', 'connection lost']);
  });

  it('commits later rows after a failure', async () => {
    const database = new FakeDatabase();
    database.lostFrom = 1;
    const group = groupOver(database);
    await expect(group.add(1)).rejects.toThrow(ConnectionLost);
    database.lostFrom = Number.POSITIVE_INFINITY;
    await group.add(2);
    expect(database.durable).toEqual([2]);
  });

  it('rejects a row when the queue is full, and loses none of the queued rows', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database, { queueMax: 10 });
    database.hold();
    const kept = numbers(0, 10).map((row) => group.add(row));
    await expect(group.add(10)).rejects.toThrow(GroupCommitFull);
    database.release();
    await Promise.all(kept);
    await group.add(11);
    expect(database.durable).toEqual([...numbers(0, 10), 11]);
  });

  describe('with gathering', () => {
    /** A group whose last batch had two rows. */
    async function crowded() {
      const database = new FakeDatabase();
      const timer = new TestClock();
      const group = new GroupCommit<number, string>({
        commit: (rows) => database.commit(rows),
        isConnectionFailure: () => false,
        inFlightMax: 2,
        gathering: { ms: 1_000, timer },
      });
      await Promise.all([group.add(0), group.add(1)]);
      return { database, timer, group };
    }
    const settled = () => new Promise(setImmediate);

    it('delays rows after a batch of several, but not after a single row', async () => {
      const { database, timer, group } = await crowded();
      const added = group.add(2);
      await settled();
      expect(database.batches).toEqual([[0, 1]]);
      await timer.advance(1_000);
      await added;
      await group.add(3);
      expect(database.batches).toEqual([[0, 1], [2], [3]]);
      expect(timer.nextDue()).toBeNull();
    });

    it('starts one batch with all waiting rows as soon as there are enough', async () => {
      const { database, timer, group } = await crowded();
      const rows = numbers(2, 17).map((row) => group.add(row));
      await settled();
      expect(database.batches).toEqual([[0, 1]]);
      rows.push(...numbers(17, 20).map((row) => group.add(row)));
      await Promise.all(rows);
      expect(database.batches).toEqual([[0, 1], numbers(2, 20)]);
      expect(timer.nextDue()).toBeNull();
    });

    it('commits waiting rows at once when it is closed', async () => {
      const { database, group } = await crowded();
      const added = group.add(2);
      await settled();
      await group.close();
      await added;
      expect(database.durable).toEqual([0, 1, 2]);
    });
  });

  it('drains waiting rows, bad rows, and rows added during the drain', async () => {
    const database = new FakeDatabase();
    database.bad = (row) => row === 1;
    const group = groupOver(database);
    const outcomes = Promise.allSettled([group.add(0), group.add(1)]);
    const late = group.add(2);
    await group.drain();
    expect(database.durable).toEqual([0, 2]);
    await Promise.all([outcomes, late, group.drain()]);
  });

  it('rejects rows after closing, and closes when the last row is durable', async () => {
    const database = new FakeDatabase();
    const group = groupOver(database);
    const added = group.add(1);
    const closed = group.close();
    await expect(group.add(2)).rejects.toThrow(GroupCommitClosed);
    await closed;
    expect(database.durable).toEqual([1]);
    await added;
  });
});
