import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type Running, runGateway } from '../gateway-process.ts';
import { auditConfig, type ConfigParts } from './audit-config.ts';

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

/** Where the tests keep it too: each process compiles nothing that one before it did. */
const compileCache = fileURLToPath(
  new URL('../../../node_modules/.cache/gatecheck/compiled', import.meta.url),
);

export function createFleet(parts: ConfigParts): Fleet {
  const live: Gateway[] = [];
  const started: Gateway[] = [];
  return {
    live,
    start: async (place) => {
      const number = started.length + 1;
      const path = join(parts.directory, `gateway-${place}.yaml`);
      writeFileSync(path, stringify(auditConfig(number, parts)));
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
