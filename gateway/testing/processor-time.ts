import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second for user space, on every architecture. */
const tickMs = 10;

/** Processor time of a process in milliseconds; null if the system does not report it. */
export function processorMs(pid: number): number | null {
  try {
    // The program name is in parentheses and may contain blanks.
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return null;
  }
}
