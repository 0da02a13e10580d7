/** Number of base-36 digits for milliseconds, enough for three thousand years. At a fixed length, names sort by time. */
const digits = 9;
const dated = /^([0-9a-z]{9})_[A-Za-z0-9_-]{16,}\./;

/**
 * The name of an object contains its creation time on the gateway clock, which a store does not know. A store lists names in
 * order, so the oldest come first.
 */
export function datedName(nowMs: number, random: string, extension: string): string {
  return `${nowMs.toString(36).padStart(digits, '0')}_${random}.${extension}`;
}

/** The creation time in an object name; null for a name without one. */
export function timeIn(name: string): number | null {
  const [, time] = dated.exec(name) ?? [];
  return time === undefined ? null : Number.parseInt(time, 36);
}
