import { type Config, configSchema } from '../../../config.ts';
import { Random } from '../../random.ts';
import type { StoreFaults } from '../store/store-line.ts';

/** The word by which the model of a chat request is said upstream; and so on for each model that is served. */
export const chatModel = 'delta-3';
export const fallbackModel = 'alpha-codex';
export const voiceModel = 'voice-v3';
export const videoModel = 'delta-imagine-t2v';

export const upstreamKey = 'upstream-secret';
export const publicUrl = 'https://gateway.example.com';

/** What a caller does, and when. */
export interface PlannedRequest {
  readonly atMs: number;
  readonly userId: string;
  readonly kind: 'chat' | 'stream' | 'voice' | 'video';
  /** When the caller disconnects, counted from the request; null if he waits for the end. */
  readonly leavesAfterMs: number | null;
  readonly wantsEvent: boolean;
}

/** What happens to a process from outside. */
export interface PlannedBlow {
  readonly atMs: number;
  readonly process: number;
  /** `kill`: it dies, and another starts in its place after a while. `sever`: an idle connection breaks. */
  readonly kind: 'kill' | 'sever';
  readonly downMs: number;
}

/** When a channel fails much more often than otherwise. */
export interface BadTime {
  readonly host: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Everything that a seed decides before anything happens. */
export interface Scenario {
  readonly processes: number;
  readonly config: Config;
  readonly requests: readonly PlannedRequest[];
  readonly blows: readonly PlannedBlow[];
  readonly badTimes: readonly BadTime[];
  readonly storeFaults: StoreFaults;
  /** Everything behaves well from here on, so that everything can come to its end. */
  readonly healedAtMs: number;
}

const noFaults: StoreFaults = { lostBefore: 0, lostAfter: 0, late: 0 };
/** The upstreams of chat; the others take jobs on. */
export const chatHosts: readonly string[] = ['a', 'b', 'c'];
export const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;

/** More than 64 calls a second, from which on accounts and users are served from what is held in advance. */
const rushRequests = 260;
const rushCap = 90;
const rushSalt = 0xb05;

/** The scenario of a seed. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed);
  const processes = random.whole(1, 2);
  const lastsMs = random.whole(4, 20) * 1000;
  const requests = Array.from({ length: random.whole(6, 22) }, () => plannedRequest(random, lastsMs));
  const blows = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () =>
    plannedBlow(random, processes, lastsMs),
  );
  const badTimes = Array.from({ length: random.whole(0, 4) }, () => {
    const fromMs = random.whole(0, lastsMs);
    return { host: random.pick(hosts), fromMs, toMs: fromMs + random.whole(2, 15) * 1000 };
  });
  const storeFaults = random.chance(0.4)
    ? noFaults
    : { lostBefore: random.next() * 0.03, lostAfter: random.next() * 0.05, late: random.next() * 0.02 };
  // Drawn apart, so that it changes nothing for other seeds.
  const rush = new Random(seed ^ rushSalt);
  const isRush = rush.chance(0.04);
  const rushed = Array.from({ length: isRush ? rushRequests : 0 }, () => rushedRequest(rush));
  const byTime = (one: { atMs: number }, other: { atMs: number }): number => one.atMs - other.atMs;
  return {
    processes,
    config: configOf(random, isRush),
    requests: [...requests, ...rushed].sort(byTime),
    blows: blows.sort(byTime),
    badTimes,
    storeFaults,
    healedAtMs: lastsMs + random.whole(2, 10) * 1000,
  };
}

function plannedRequest(random: Random, lastsMs: number): PlannedRequest {
  // Some come at once, so that they race.
  const atMs = random.chance(0.5)
    ? Math.floor(random.whole(0, lastsMs) / 2000) * 2000
    : random.whole(0, lastsMs);
  return {
    atMs: atMs + random.whole(0, 20),
    userId: random.pick(['u1', 'u1', 'u2', 'u3']),
    kind: random.pick(['chat', 'chat', 'stream', 'stream', 'voice', 'voice', 'video']),
    leavesAfterMs: random.chance(0.15) ? random.whole(1, 3000) : null,
    wantsEvent: random.chance(0.8),
  };
}

/** A call among many of one user within a second or two, as only busy accounts make them. */
function rushedRequest(rush: Random): PlannedRequest {
  return {
    atMs: 1500 + rush.whole(0, 1800),
    userId: 'u1',
    kind: rush.pick(['chat', 'stream']),
    leavesAfterMs: rush.chance(0.1) ? rush.whole(1, 2000) : null,
    wantsEvent: false,
  };
}

function plannedBlow(random: Random, processes: number, lastsMs: number): PlannedBlow {
  return {
    atMs: random.whole(100, lastsMs + 2000),
    process: random.whole(0, processes - 1),
    kind: random.chance(0.75) ? 'kill' : 'sever',
    downMs: random.pick([50, 500, 3000, 8000]),
  };
}

function configOf(random: Random, isRush: boolean): Config {
  const user = (id: string) => {
    const cap = random.whole(1, 3);
    return { id, cap: isRush && id === 'u1' ? rushCap : cap };
  };
  const key = (userId: string) => ({
    id: `key-${userId}`,
    user: userId,
    app: 'app',
    secret: secretOf(userId),
  });
  const room = () =>
    random.chance(0.5)
      ? {}
      : { capacity: random.whole(1, 2), queue_length: random.whole(0, 2), queue_wait_ms: 800 };
  const channel = (id: string, dialect: string, model: string) => ({
    ...{ id, dialect, base_url: `http://${id}.upstream/v1`, api_key: upstreamKey },
    ...{ models: { [model]: `native-${model}` }, priority: random.whole(0, 1), ...room() },
  });
  return configSchema.parse({
    listen: {},
    public_url: publicUrl,
    key_pepper: 'a pepper for tests',
    accounts: [
      { id: 'rich', users: [user('u1'), user('u2')], apps: [{ id: 'app' }], keys: [key('u1'), key('u2')] },
      {
        id: 'thin',
        prepaid: true,
        users: [user('u3')],
        apps: [{ id: 'app-3' }],
        keys: [{ ...key('u3'), app: 'app-3' }],
      },
    ],
    channels: [
      channel('a', 'chat-completions', chatModel),
      channel('b', 'chat-completions', chatModel),
      channel('c', 'chat-completions', fallbackModel),
      { ...channel('d', 'callback-jobs', voiceModel), callbacks: true },
      channel('e', 'callback-jobs', voiceModel),
      channel('f', 'jobs', videoModel),
      channel('g', 'jobs', videoModel),
    ],
    fallbacks: { [chatModel]: fallbackModel },
    breaker: { consecutive_failures: random.whole(1, 3), cool_down_ms: [1500, 4000], account_out_ms: 9000 },
    upstream: { first_byte_timeout_ms: 6000, idle_timeout_ms: 4000, total_timeout_ms: 30_000 },
    tasks: {
      poll_ms: 400,
      poll_most_ms: 1500,
      deadline_ms: 20_000,
      start_again_ms: 500,
      at_once: random.whole(1, 4),
    },
    webhooks: { schedule_ms: [0, 800, 2000, 4000, 8000, 8000, 8000], timeout_ms: 3000, at_once_each: 4 },
  });
}

/** The key of a user. */
export function secretOf(userId: string): string {
  return `sk-app-simulated-${userId}`;
}
