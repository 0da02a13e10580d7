import { readFileSync } from 'node:fs';

/** Linux counts it in hundredths of a second for the one who asks, on every architecture. */
const tickMs = 10;

/** Processor time that a process has used, in milliseconds; null where the system does not report it. */
export function processorMs(pid: number): number | null {
  try {
    // The name of the program stands in brackets, and may contain blanks.
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return null;
  }
}
