import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type Running, runGateway } from '../gateway-process.ts';
import { type DatabaseRelay, startDatabaseRelay } from '../store/database-relay.ts';
import { auditConfig, type ConfigParts } from './audit-config.ts';

/** A gateway process of an audit. */
export interface Gateway {
  /** Counted over the whole audit: no two processes have the same. */
  readonly number: number;
  /** Which of the processes that run side by side it is. */
  readonly place: number;
  readonly url: string;
  readonly running: Running;
  /** The way to its database server; null where that is embedded. */
  readonly relay: DatabaseRelay | null;
}

/** The processes that run at a time, over one store. */
export interface Fleet {
  readonly live: readonly Gateway[];
  start(place: number): Promise<Gateway>;
  /** SIGKILL, at once; resolves when the process is gone. */
  kill(gateway: Gateway): Promise<void>;
  /** Nobody calls the process until it is given back. */
  takeOut(gateway: Gateway): void;
  /** Requests to every process may fail. */
  shakeAll(): void;
  giveBack(gateway: Gateway): void;
  /** SIGTERM to all; the faults that any process logged, and what kept one from a good end. */
  stop(): Promise<string[]>;
  /** Ends what is left, after a failure too. */
  close(): Promise<void>;
}

/** Where the tests keep it too: each process compiles nothing that one before it did. */
const compileCache = fileURLToPath(
  new URL('../../../node_modules/.cache/gatecheck/compiled', import.meta.url),
);
/** What a process that was stopped, or lost its database, rightly logs as an error: requests that failed. */
const failedRequest = /"msg":"request"/;

export function createFleet(parts: ConfigParts): Fleet {
  const live: Gateway[] = [];
  const started: Gateway[] = [];
  const shaken = new Set<number>();
  return {
    live,
    start: async (place) => {
      const number = started.length + 1;
      const path = join(parts.directory, `gateway-${place}.yaml`);
      const relay = 'url' in parts.place ? await startDatabaseRelay(parts.place.url) : null;
      const its = relay === null ? parts : { ...parts, place: { url: relay.url } };
      writeFileSync(path, stringify(auditConfig(number, its)));
      const running = await runGateway(['--config', path, '--exit-with-stdin'], {
        NODE_COMPILE_CACHE: compileCache,
      });
      if (running.url === '') throw new Error((await running.exit).errors);
      const gateway = { number, place, url: running.url, running, relay };
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
    takeOut: (gateway) => {
      live.splice(live.indexOf(gateway), 1);
      shaken.add(gateway.number);
      parts.upstreams.calls.disown(gateway.number);
    },
    shakeAll: () => {
      for (const { number } of live) shaken.add(number);
    },
    giveBack: (gateway) => void live.push(gateway),
    stop: async () => {
      const ending = live.splice(0);
      for (const { running } of ending) running.stop('SIGTERM');
      const faults: string[] = [];
      for (const { number, running } of started) {
        const { code, errors } = await running.exit;
        const isKilled = !ending.some((one) => one.number === number);
        if (!isKilled && code !== 0) faults.push(`process ${number} ended with ${code}`);
        const bad = errors
          .split('\n')
          .filter((line) => /"level":(?:50|60)/.test(line))
          .find((line) => !(shaken.has(number) && failedRequest.test(line)));
        if (bad !== undefined) faults.push(`process ${number} logged ${bad}`);
      }
      return faults;
    },
    close: async () => {
      for (const { running } of live) running.stop('SIGKILL');
      for (const { relay } of started) await relay?.close();
    },
  };
}
