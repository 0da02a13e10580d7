import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type Running, runGateway } from '../gateway-process.ts';
import type { StorePlace } from '../store/test-stores.ts';
import { adminToken } from '../test-gateway.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import type { AuditUpstreams } from './audit-upstreams.ts';
import { auditPrices } from './ways.ts';

/** A gateway process of an audit. */
export interface Gateway {
  /** Counted over the whole audit: no two processes have the same. */
  readonly number: number;
  /** Which of the processes that run side by side it is. */
  readonly place: number;
  readonly url: string;
  readonly running: Running;
}

/** The processes that run at a time, over one store. */
export interface Fleet {
  readonly live: readonly Gateway[];
  start(place: number): Promise<Gateway>;
  /** SIGKILL, at once; resolves when the process is gone. */
  kill(gateway: Gateway): Promise<void>;
  /** SIGTERM to all; the faults that any process logged, and what kept one from a good end. */
  stop(): Promise<string[]>;
}

/** An account with one user. */
export interface AuditAccount {
  readonly id: string;
  readonly user: string;
  readonly key: string;
  readonly cap: number;
  /** Basis points. */
  readonly markup: number;
}

export const auditAccounts: readonly AuditAccount[] = [
  { id: 'north', user: 'ann', key: 'sk-app-audit-of-crashes-1', cap: 3, markup: 0 },
  { id: 'south', user: 'ben', key: 'sk-app-audit-of-crashes-2', cap: 3, markup: 1000 },
];
/** Where the tests keep it too: each process compiles nothing that one before it did. */
const compileCache = fileURLToPath(
  new URL('../../../node_modules/.cache/gatecheck/compiled', import.meta.url),
);
/** Dollars. */
export const auditGrant = '1000000';
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface FleetParts {
  readonly place: StorePlace;
  readonly directory: string;
  readonly upstreams: AuditUpstreams;
  readonly receiver: WebhookReceiver;
}

export function createFleet(parts: FleetParts): Fleet {
  const live: Gateway[] = [];
  const started: Gateway[] = [];
  return {
    live,
    start: async (place) => {
      const number = started.length + 1;
      const path = join(parts.directory, `gateway-${place}.yaml`);
      writeFileSync(path, stringify(configOf(number, parts)));
      const running = await runGateway(['--config', path], { NODE_COMPILE_CACHE: compileCache });
      if (running.url === '') throw new Error((await running.exit).errors);
      const gateway = { number, place, url: running.url, running };
      started.push(gateway);
      live.push(gateway);
      return gateway;
    },
    kill: async (gateway) => {
      gateway.running.stop('SIGKILL');
      live.splice(live.indexOf(gateway), 1);
      parts.upstreams.calls.forget(gateway.number);
      await gateway.running.exit;
    },
    stop: async () => {
      const ending = live.splice(0);
      for (const { running } of ending) running.stop('SIGTERM');
      const faults: string[] = [];
      for (const { number, running } of started) {
        const { code, errors } = await running.exit;
        const isKilled = !ending.some((one) => one.number === number);
        if (!isKilled && code !== 0) faults.push(`process ${number} ended with ${code}`);
        const bad = errors.split('\n').find((line) => /"level":(?:50|60)/.test(line));
        if (bad !== undefined) faults.push(`process ${number} logged ${bad}`);
      }
      return faults;
    },
  };
}

function configOf(number: number, { place, directory, upstreams, receiver }: FleetParts): object {
  const ca = join(directory, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  return {
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    admin: { token: adminToken },
    media: { dir: join(directory, 'media') },
    prices: auditPrices,
    tasks: { poll_ms: 20, poll_most_ms: 100, start_again_ms: 20 },
    webhooks: { ca, schedule_ms: [0, 50, 50, 50, 50, 50], retry_after_most_ms: 50 },
    accounts: auditAccounts.map(({ id, user, key, cap, markup }) => ({
      id,
      prepaid: true,
      grants: [{ id: `start-${id}`, amount: auditGrant }],
      webhook_secret: webhookSecret,
      users: [{ id: user, cap }],
      apps: [{ id: `app-${id}`, markup_bp: markup }],
      keys: [{ id: `key-${id}`, user, app: `app-${id}`, secret: key }],
    })),
    channels: upstreams.channels(number),
    test: { allowed_hosts: [receiver.host], token: 'token' },
  };
}
