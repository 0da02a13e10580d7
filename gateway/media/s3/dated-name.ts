/** Milliseconds in base 36, with as many digits as the next three thousand years need: their order is that of time. */
const digits = 9;
const dated = /^([0-9a-z]{9})_[A-Za-z0-9_-]{16,}\./;

/**
 * The name of an object says when it was made, by the gateway's clock, which a store does not know. Sorted by name, as a store
 * lists them, the oldest come first.
 */
export function datedName(nowMs: number, random: string, extension: string): string {
  return `${nowMs.toString(36).padStart(digits, '0')}_${random}.${extension}`;
}

/** When an object of this name was made; null for a name that says nothing of it. */
export function timeIn(name: string): number | null {
  const [, time] = dated.exec(name) ?? [];
  return time === undefined ? null : Number.parseInt(time, 36);
}
