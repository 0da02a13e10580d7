import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { memoryTasks } from '../testing/memory-tasks.ts';
import { hookToken, startTestGateway, testConfig } from '../testing/test-gateway.ts';
import { read } from '../testing/wire.ts';

it('waits for task steps before the clock moves and before it reports the next due time', async () => {
  const clock = new TestClock();
  const begin = clock.now();
  const waits: string[] = [];
  const idle = async (): Promise<void> => {
    waits.push(clock.now() - begin >= 60_000 ? 'after' : 'before');
    // Like a step that schedules the next one.
    if (waits.length === 3) clock.schedule(5_000, () => {});
  };
  const gateway = await startTestGateway(testConfig('http://127.0.0.1:1'), {
    clock,
    tasks: () => Object.assign(memoryTasks(), { idle }),
  });
  const hook = { key: hookToken };
  const url = `${gateway.url}/hooks/clock`;
  await read(url, hook);
  expect(waits).toEqual(['before']);
  const { json } = await read(url, { ...hook, method: 'POST', body: { advance_ms: 60_000 } });
  expect(waits).toEqual(['before', 'before', 'after']);
  expect(json.next_due_ms - json.now_ms).toBeGreaterThan(4_000);
  await gateway.close();
});
