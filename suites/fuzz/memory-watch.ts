import type { FuzzPart } from './fuzz-options.ts';
import { HeldMemory, residentMb } from './held-memory.ts';
import type { FuzzReport } from './report/fuzz-report.ts';

const everyMs = 250;
/**
 * A process that has just started grows for a while by itself, and one that collects garbage holds more the busier the
 * machine is: growth is that of the least it holds from a first stretch to the last, as parts of a part, or to any time later.
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
  end(): Promise<FuzzReport['memory']>;
}

/**
 * Watches the memory of one process until it is asked; of none, if there is none to watch. One that `collects` is asked to
 * when each part is warm and when it is over, and what it holds then is compared: no garbage is in it.
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
      // Of a part that was not finished, what there was of it counts.
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
 * By how much the least memory grew by a part, once the process was warm; null if it was too short. What is given
 * back after it was no leak: bodies of megabytes take more, and what they took is kept for a while.
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
