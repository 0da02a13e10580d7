import type { FuzzPart } from './fuzz-options.ts';
import { HeldMemory, residentMb } from './held-memory.ts';
import type { FuzzReport } from './report/fuzz-report.ts';

const everyMs = 250;
/**
 * A new process grows for a while by itself, and garbage grows with load. So growth compares minimums: from a first stretch
 * of a part to its last stretch, or to any later time. These are the bounds, as shares of a part.
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

/** Watches the memory of one process during a run. */
export interface MemoryWatch {
  /** Notes how much of a part has been sent. */
  reached(part: FuzzPart, progress: number): void;
  /** Ends the watch and returns what it saw. */
  end(): Promise<FuzzReport['memory']>;
}

/**
 * Watches the memory of one process until `end`; does nothing without a process. With `collects`, the process collects its
 * garbage when each part is warm and when it is over. Then only memory without garbage is compared.
 */
export function watchMemory(pid: number | undefined, collects = false): MemoryWatch {
  const before = pid === undefined ? null : residentMb(pid);
  if (pid === undefined || before === null) return { reached: () => {}, end: () => Promise.resolve(null) };
  let [most, after] = [before, before];
  let at: Omit<MemorySample, 'mb'> | null = null;
  const samples: MemorySample[] = [];
  const look = (): void => {
    after = residentMb(pid) ?? after;
    most = Math.max(most, after);
    if (at !== null) samples.push({ ...at, mb: after });
  };
  const timer = setInterval(look, everyMs).unref();
  const held = collects ? new HeldMemory(pid) : null;
  return {
    reached: (part, progress) => {
      at = { part, progress };
      if (progress >= warmBy) held?.note(part, 'warm');
      if (progress >= 1) held?.note(part, 'over');
    },
    end: async () => {
      // A part that was interrupted late still counts.
      if (at !== null && at.progress >= lateFrom) held?.note(at.part, 'over');
      const growth = async (part: FuzzPart): Promise<number | null> =>
        held === null ? growthIn(samples, part) : await held.growthIn(part);
      const grown_mb = { costs: await growth('costs'), fields: await growth('fields') };
      clearInterval(timer);
      look();
      return { before_mb: before, after_mb: after, most_mb: most, grown_mb };
    },
  };
}

/**
 * How much the minimum grew in a part, once the process was warm, MB; null if the part was too short. Memory that is released
 * later was no leak: the process keeps memory for large bodies for a while.
 */
export function growthIn(samples: readonly MemorySample[], part: FuzzPart): number | null {
  const isLate = (one: MemorySample): boolean => one.part === part && one.progress >= lateFrom;
  const warm = leastOf(
    samples.filter((one) => one.part === part && one.progress >= warmBy && one.progress < warmUntil),
  );
  const late = samples.findIndex(isLate);
  return warm === null || late === -1 ? null : (leastOf(samples.slice(late)) ?? warm) - warm;
}

function leastOf(samples: readonly MemorySample[]): number | null {
  return samples.length === 0 ? null : Math.min(...samples.map(({ mb }) => mb));
}
