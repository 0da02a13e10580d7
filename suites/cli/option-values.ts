import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { sizes } from 'gatecheck-reports/report';

/** Validates option values. Invalid ones are rejected with a sentence. */

/** Collects the values of a repeatable option. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

export function minutes(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('Give a number above 0.');
  return value;
}

export function isoDate(text: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // The 30th of February is read as the 2nd of March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('Give a date as 2027-03-31.');
  return text;
}

export function wait(text: string): number {
  const ms = wholeNumber(text);
  if (ms < 1) throw new InvalidArgumentError('Give at least 1 ms.');
  return ms;
}

export function waits(text: string): number[] {
  return text.split(',').map(wait);
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Give a whole number.');
  return value;
}

/** A seed; `random` draws one, which reports name. */
export function seed(text: string): number {
  return text === 'random' ? randomInt(2 ** 31) : wholeNumber(text);
}

/** An address without a slash at its end. */
export function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Give an http(s) URL.');
  return text.replace(/\/+$/, '');
}

/** The option of a size, whose values are the names of sizes. */
export function sizeOption(description: string): Option {
  return new Option('--size <size>', description).choices(sizes);
}
