import { readFileSync } from 'node:fs';
import type { FuzzPart } from './fuzz-options.ts';
import type { FuzzReport } from './report/fuzz-report.ts';

const everyMs = 500;
/**
 * A process that has just started grows for a while by itself, and one that collects garbage holds more the busier the
 * machine is: growth is that of the least it holds within the first stretch and the last, as parts of a part.
 */
const warmBy = 0.2;
const warmUntil = 0.5;
const lateFrom = 0.8;

/** Memory at some point of a part of a run. */
export interface MemorySample {
  readonly part: FuzzPart;
  /** How much of the part was sent by then, from 0 to 1. */
  readonly progress: number;
  readonly mb: number;
}

/** Watches the memory of one process while a run is under way. */
export interface MemoryWatch {
  /** Says how much of a part has been sent. */
  reached(part: FuzzPart, progress: number): void;
  /** Ends the watch. */
  end(): FuzzReport['memory'];
}

/** Resident memory of a process, MB; null where this system or that process does not tell. */
export function residentMb(pid: number): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}

/** Watches the memory of one process until it is asked; of none, if there is none to watch. */
export function watchMemory(pid: number | undefined): MemoryWatch {
  const before = pid === undefined ? null : residentMb(pid);
  if (pid === undefined || before === null) return { reached: () => {}, end: () => null };
  let [most, after] = [before, before];
  let at: Omit<MemorySample, 'mb'> | null = null;
  const samples: MemorySample[] = [];
  const look = (): void => {
    after = residentMb(pid) ?? after;
    most = Math.max(most, after);
    if (at !== null) samples.push({ ...at, mb: after });
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    reached: (part, progress) => {
      at = { part, progress };
    },
    end: () => {
      clearInterval(timer);
      look();
      const grown_mb = { costs: growthIn(samples, 'costs'), fields: growthIn(samples, 'fields') };
      return { before_mb: before, after_mb: after, most_mb: most, grown_mb };
    },
  };
}

/** By how much the least memory grew within a part, once the process was warm; null if it was too short to tell. */
export function growthIn(samples: readonly MemorySample[], part: FuzzPart): number | null {
  const within = (from: number, to: number): number | null =>
    leastOf(samples.filter((one) => one.part === part && one.progress >= from && one.progress < to));
  const [warm, late] = [within(warmBy, warmUntil), within(lateFrom, Number.POSITIVE_INFINITY)];
  return warm === null || late === null ? null : late - warm;
}

function leastOf(samples: readonly MemorySample[]): number | null {
  return samples.length === 0 ? null : Math.min(...samples.map(({ mb }) => mb));
}
