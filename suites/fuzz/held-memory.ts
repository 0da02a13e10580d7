import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { FuzzPart } from './fuzz-options.ts';

/** A last-resort collection, because a usual one keeps freed memory for a while. */
const collection = "gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })";

/** Flags for a Node process that collects its garbage on SIGUSR2. */
export const collectingArgs: readonly string[] = [
  '--expose-gc',
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => ${collection})`)}`,
];

/** The longest time that a collection takes on a busy machine, and the polling interval, ms. */
const collectedMs = 3_000;
const everyMs = 100;

/** Resident memory of a process, MB; null where the system or the process does not report it. */
export function residentMb(pid: number): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}

/**
 * The memory of a process with `collectingArgs` right after collections: when a part of a run is warm, and when it is over.
 */
export class HeldMemory {
  readonly #pid: number;
  readonly #notes = new Map<string, Promise<number | null>>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Triggers a collection, once for each point of a part. */
  note(part: FuzzPart, point: 'warm' | 'over'): void {
    const name = `${part} ${point}`;
    if (!this.#notes.has(name)) this.#notes.set(name, leastAfterCollection(this.#pid));
  }

  /** How much more the process held at the end of a part, MB; null if either point was not reached. */
  async growthIn(part: FuzzPart): Promise<number | null> {
    const [warm, over] = [await this.#notes.get(`${part} warm`), await this.#notes.get(`${part} over`)];
    return warm == null || over == null ? null : over - warm;
  }
}

/** The minimum after a collection, MB, because the load goes on meanwhile. */
async function leastAfterCollection(pid: number): Promise<number | null> {
  if (residentMb(pid) === null) return null;
  process.kill(pid, 'SIGUSR2');
  let least: number | null = null;
  for (let look = 0; look < collectedMs / everyMs; look += 1) {
    await wait(everyMs);
    const mb = residentMb(pid);
    if (mb !== null) least = Math.min(least ?? mb, mb);
  }
  return least;
}
