import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Running } from './testing/gateway-process.ts';
import { Random } from './testing/random.ts';
import { sized } from './testing/sized.ts';
import { type FreshPlace, server, storeKinds } from './testing/store/test-stores.ts';
import { expectedCharges, startTaskLives, type TaskLives } from './testing/task-lives.ts';

/** How often the process is killed, over how many tasks. */
const kills = sized(3, 50);
const tasks = sized(30, 500);
const runSeed = Number(process.env.GATECHECK_TEST_SEED ?? 20_261_122);
const withinMs = 60_000 + kills * 30_000;
/** Tasks are handed in by so many at once. */
const clients = 8;
/** What happens in the life of a task that a kill may follow: it is acknowledged, started, looked at, fetched. */
const eventsATask = 6;

function expectEachOnce(lives: TaskLives, books: Awaited<ReturnType<TaskLives['books']>>): void {
  const ids = books.tasks.map((task) => task.id);
  expect(lives.acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  expect(books.tasks.filter((task) => task.status !== 'SUCCESS')).toEqual([]);
  expect(
    books.tasks.filter(
      (task) => task.charges.length !== 1 || !expectedCharges.includes(task.charges[0] ?? ''),
    ),
  ).toEqual([]);
  expect(lives.jobs().sort()).toEqual([...ids].sort());
  expect(books).toMatchObject({ openHolds: 0, entries: '0', held: '0' });
}

// Usually on the last of them alone: a server where there is one.
describe.each(storeKinds.slice(sized(-1, 0)))('a gateway on a store of kind $name', ({ fresh }) => {
  let place: FreshPlace;
  let lives: TaskLives;
  const started: Running[] = [];
  beforeAll(async () => {
    place = await fresh();
    lives = await startTaskLives(place.place);
  });
  afterAll(async () => {
    for (const gateway of started) gateway.stop('SIGKILL');
    await Promise.all(started.map((gateway) => gateway.exit));
    await lives.close();
    await place.remove();
  });
  const start = async (): Promise<Running> => {
    const gateway = await lives.start();
    started.push(gateway);
    if (gateway.url === '') throw new Error((await gateway.exit).errors);
    return gateway;
  };

  it('loses and doubles no task, no job and no charge, however often it is killed', {
    timeout: withinMs,
  }, async () => {
    const random = new Random(runSeed);
    for (let kill = 1; kill <= kills; kill += 1) {
      const gateway = await start();
      let left = Math.ceil((random.next() * eventsATask * tasks) / kills);
      lives.onEvent = () => {
        left -= 1;
        if (left === 0) gateway.stop('SIGKILL');
      };
      const wanted = Math.round((tasks * kill) / kills);
      const handIn = async (): Promise<void> => {
        while (lives.acknowledged.length < wanted && (await lives.submit(gateway)));
      };
      await Promise.all(Array.from({ length: clients }, handIn));
      // What was counted on may not come: all tasks may be over by now.
      const alarm = setTimeout(() => gateway.stop('SIGKILL'), 500);
      await gateway.exit;
      clearTimeout(alarm);
    }
    lives.onEvent = () => {};
    const last = await start();
    while (lives.acknowledged.length < tasks) expect(await lives.submit(last)).toBe(true);
    await lives.untilSuccess(last);
    last.stop('SIGTERM');
    expect((await last.exit).code).toBe(0);
    const said = (await Promise.all(started.map((gateway) => gateway.exit)))
      .map(({ errors }) => errors)
      .join('');
    // Or nothing was at stake when it was killed.
    expect(said).toMatch(/tasks of (?:the process before|a process that is gone) go on/);
    // Nothing of ours failed on the way.
    expect(said).not.toMatch(/"level":(?:50|60)/);
    expectEachOnce(lives, await lives.books());
  });
});

// An embedded store belongs to one process.
describe.skipIf(server.isMissing)('two gateways on one server', () => {
  it('share the tasks, double none, and one goes on with those of the other when that is killed', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await server.fresh();
    const lives = await startTaskLives(place);
    const [one, two] = [await lives.start(), await lives.start()];
    for (let n = 0; n < 60; n += 1) expect(await lives.submit(n % 2 === 0 ? one : two)).toBe(true);
    one.stop('SIGKILL');
    await lives.untilSuccess(two);
    two.stop('SIGTERM');
    expect((await two.exit).code).toBe(0);
    const books = await lives.books();
    expectEachOnce(lives, books);
    expect(books.endedBy.size).toBe(2);
    await lives.close();
    await remove();
  });
});
