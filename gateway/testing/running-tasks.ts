import { keyHasher } from '../access/hash-key.ts';
import { RealClock, TestClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { seedAccounts } from '../store/seed-accounts.ts';
import { seedOfConfig } from '../store/seed-of-config.ts';
import { seedRows } from '../store/seed-rows.ts';
import { openStore, type Store } from '../store/store.ts';
import { createTasks, type RunningTasks } from '../tasks/create-tasks.ts';
import type { RunningWebhooks } from '../webhooks/create-webhooks.ts';
import { createSoleInstance } from '../work/instances.ts';
import { freshCluster, silentLog } from './store/test-stores.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

/** A test gateway that runs its tasks, over its own embedded database. */
export interface TaskGateway extends Omit<TestGateway, 'tasks'> {
  readonly store: Store;
  readonly tasks: RunningTasks;
  /** Resolves with the task's status once it is one of these. */
  until(taskId: string, ...statuses: readonly string[]): Promise<string>;
}

/** `sendEvents` creates the sender of task events; without it nobody is notified. */
export async function startTaskGateway(
  config: Config,
  sendEvents?: (store: Store, clock: TestClock) => RunningWebhooks,
): Promise<TaskGateway> {
  const fresh = await freshCluster();
  const store = await openStore({ ...fresh.place, log: silentLog });
  const clock = new TestClock();
  await seedAccounts(store.db, seedRows(seedOfConfig(config), keyHasher(config.key_pepper)));
  const webhooks = sendEvents?.(store, clock);
  const made: RunningTasks[] = [];
  const gateway = await startTestGateway(config, {
    clock,
    db: store.db,
    ...(webhooks !== undefined && { webhooks }),
    tasks: (work, events) => {
      const tasks = createTasks({
        db: store.db,
        instances: createSoleInstance('gw_test'),
        work,
        events,
        limits: config.tasks,
        clock,
        timer: new RealClock(),
        removeOldFiles: async () => {},
        log: silentLog,
      });
      made.push(tasks);
      return tasks;
    },
  });
  const [tasks] = made;
  if (tasks === undefined) throw new Error('the gateway made no tasks');
  await tasks.open();
  return Object.assign(gateway, {
    clock,
    store,
    tasks,
    until: async (taskId: string, ...statuses: readonly string[]) => {
      for (;;) {
        const { status } = (await gateway.readTask(taskId)).json;
        if (statuses.includes(status)) return status;
        await tasks.idle(100);
      }
    },
    close: async () => {
      await tasks.close();
      await webhooks?.close();
      await gateway.app.close();
      gateway.app.server.closeAllConnections();
      await new Promise<void>((resolve) => gateway.app.server.close(() => resolve()));
      await store.close();
      await fresh.remove();
    },
  });
}
