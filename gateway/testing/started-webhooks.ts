import { randomBytes } from 'node:crypto';
import { RealClock, TestClock } from '../clock.ts';
import { webhooks as webhooksConfig } from '../config/webhooks.ts';
import type { WebhookLimits } from '../config.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import type { Store } from '../store/store.ts';
import { createWebhooks, type RunningWebhooks, type WebhooksParts } from '../webhooks/create-webhooks.ts';
import { createSeal } from '../webhooks/seal.ts';
import type { NewEvent, WebhookEvent } from '../webhooks/webhooks.ts';
import { createSoleInstance } from '../work/instances.ts';
import { sized } from './sized.ts';
import { silentLog } from './store/test-stores.ts';

/** The default webhook settings. */
export const webhookDefaults: WebhookLimits = webhooksConfig.parse({});
export const seal = createSeal('a pepper for tests');
export const retentionMs = 24 * 3_600_000;

/** Webhooks with their own clock over a database. */
export interface StartedWebhooks extends RunningWebhooks {
  readonly clock: TestClock;
  /** Stores events, as at the end of their tasks, and sends them. */
  add(events: readonly NewEvent[]): Promise<void>;
  /** Advances the clock to the next due time, and waits for the result. Returns that time; null if nothing is due. */
  next(): Promise<number | null>;
  /** The event of a task. */
  of(taskId: string): Promise<WebhookEvent>;
}

export interface StartParts extends Partial<Omit<WebhooksParts, 'limits'>> {
  readonly limits?: Partial<WebhookLimits>;
  readonly clock?: TestClock;
  readonly allowed?: readonly string[];
  readonly ca?: string;
}

/** Long enough for a machine that is busy with other tests. */
const withinMs = sized(10_000, 300_000);
let lives = 0;

export function startWebhooks({ db }: Store, parts: StartParts = {}): StartedWebhooks {
  lives += 1;
  const { allowed = [], ca, limits, clock = new TestClock(), ...others } = parts;
  const webhooks = createWebhooks({
    db,
    instances: createSoleInstance(`gw_${lives}`),
    limits: { ...webhookDefaults, ...limits },
    retentionMs: retentionMs,
    outbound: createOutbound({ ports: [443], allowedHosts: allowed, resolve: scriptedResolve({}), ca }),
    seal: seal,
    clock,
    wall: clock,
    timer: new RealClock(),
    newId: (prefix) => prefix + randomBytes(18).toString('base64url'),
    random: () => 0.5,
    log: silentLog,
    onAttempt: () => {},
    ...others,
  });
  const idle = (): Promise<void> => webhooks.idle(withinMs);
  return {
    ...webhooks,
    clock,
    add: async (events) => {
      await db.transaction().execute((trx) => webhooks.insert(trx, events));
      webhooks.wake(events);
    },
    next: async () => {
      await idle();
      const due = clock.nextDue();
      if (due === null) return null;
      await clock.advance(due - clock.now());
      await idle();
      return due;
    },
    of: async (taskId) => {
      const [event] = await webhooks.search({ taskId }, 2);
      if (event === undefined) throw new Error(`no event of ${taskId}`);
      return event;
    },
  };
}

/** The event of a task that has just ended. */
export function newEvent(
  taskId: string,
  url: string,
  atMs: number,
  changes: Partial<NewEvent> = {},
): NewEvent {
  const type = 'task.success';
  const body = JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data: { task_id: taskId } });
  return { taskId, accountId: 'acc', type, url, body, atMs, ...changes };
}
