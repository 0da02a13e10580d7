import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One row of `fixtures/readings.md`: how we read a point that the specification leaves open. */
export interface Reading {
  readonly id: string;
  readonly point: string;
  readonly reading: string;
  /** How the suites treat it: rule, tolerated or profile, sometimes by part. */
  readonly kind: string;
  readonly tolerated: string;
}

/** The readings by their ids: `B-35`. */
export function loadReadings(): ReadonlyMap<string, Reading> {
  const text = readFileSync(fileURLToPath(new URL('../../fixtures/readings.md', import.meta.url)), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    // A bar within a cell is escaped.
    const [, id = '', point = '', reading = '', kind = '', tolerated = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    return /^B-\d+$/.test(id) ? [{ id, point, reading, kind, tolerated }] : [];
  });
  return new Map(rows.map((row) => [row.id, row]));
}
