import { createHash } from 'node:crypto';
import { type Patch, timesIn } from '../kill-matrix/patch.ts';

/** A range of a source file and an operator's replacement for it. */
export interface Spot {
  /** The operator's name, such as `WrongConstant`. */
  readonly operator: string;
  /** Offsets in the text of the file. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The gateway with one place of its source changed by an operator. */
export interface SourceMutant extends Patch {
  /** Derived from file, find and replace, so it is stable as long as these lines are. */
  readonly id: string;
  readonly operator: string;
  /** The one-based line of the place. */
  readonly line: number;
  /** The offset of the place in the text of the file. */
  readonly offset: number;
}

/** The mutant for a spot. `find` contains whole lines, as many as needed to be unique. */
export function mutantAt(file: string, text: string, spot: Spot): SourceMutant {
  let [from, to] = [lineStart(text, spot.start), lineEnd(text, spot.end)];
  while (timesIn(text, text.slice(from, to)) > 1) {
    from = lineStart(text, Math.max(0, from - 1));
    to = lineEnd(text, Math.min(text.length, to + 1));
  }
  const find = text.slice(from, to);
  const replace = text.slice(from, spot.start) + spot.replacement + text.slice(spot.end, to);
  const line = text.slice(0, spot.start).split('\n').length;
  const { operator, start: offset } = spot;
  return { id: idOf({ file, find, replace }), operator, file, line, offset, find, replace };
}

/** A short name for a patch. */
export function idOf({ file, find, replace }: Patch): string {
  return createHash('sha256')
    .update(JSON.stringify([file, find, replace]))
    .digest('hex')
    .slice(0, 10);
}

/** The changed lines of the mutant with diff signs; common lines at both ends are omitted. */
export function diffOf({ find, replace }: Patch): string[] {
  const [old, now] = [find.split('\n'), replace.split('\n')];
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
  ];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
