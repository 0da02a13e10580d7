import { readFileSync } from 'node:fs';
import type { FuzzReport } from './report/fuzz-report.ts';

const everyMs = 500;

/** Resident memory of a process, MB; null where this system or that process does not tell. */
export function residentMb(pid: number): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}

/** Watches the memory of one process until it is asked. */
export function watchMemory(pid: number | undefined): () => FuzzReport['memory'] {
  const before = pid === undefined ? null : residentMb(pid);
  if (pid === undefined || before === null) return () => null;
  let [most, after] = [before, before];
  const look = (): void => {
    after = residentMb(pid) ?? after;
    most = Math.max(most, after);
  };
  const timer = setInterval(look, everyMs).unref();
  return () => {
    clearInterval(timer);
    look();
    return { before_mb: before, after_mb: after, most_mb: most };
  };
}
