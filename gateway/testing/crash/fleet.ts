import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type Running, runGateway } from '../gateway-process.ts';
import { type DatabaseRelay, startDatabaseRelay } from '../store/database-relay.ts';
import { auditConfig, type ConfigParts } from './audit-config.ts';

/** A gateway process of an audit. */
export interface Gateway {
  /** Unique over the whole audit. */
  readonly number: number;
  /** Its index among the processes that run side by side. */
  readonly place: number;
  readonly url: string;
  readonly running: Running;
  /** The relay to its database server; null for an embedded store. */
  readonly relay: DatabaseRelay | null;
}

/** The processes that run at a time, over one store. */
export interface Fleet {
  readonly live: readonly Gateway[];
  start(place: number): Promise<Gateway>;
  /** Sends SIGKILL immediately; resolves when the process is gone. */
  kill(gateway: Gateway): Promise<void>;
  /** Excludes the process from requests until it is given back. */
  takeOut(gateway: Gateway): void;
  /** From now on requests to every process may fail. */
  shakeAll(): void;
  giveBack(gateway: Gateway): void;
  /** Sends SIGTERM to all. Returns the errors that any process logged, and why one did not exit cleanly. */
  stop(): Promise<string[]>;
  /** Ends the remaining processes, also after a failure. */
  close(): Promise<void>;
}

/** Shared with the tests, so that no process compiles what an earlier one has compiled. */
const compileCache = fileURLToPath(
  new URL('../../../node_modules/.cache/gatecheck/compiled', import.meta.url),
);
/** Errors that a stopped process, or one without its database, may log: failed requests. */
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
