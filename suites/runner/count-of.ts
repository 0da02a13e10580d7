/** A number with its noun, in singular or plural: `1 check`, `2 checks`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
