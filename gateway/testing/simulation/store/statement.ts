import type { Tables } from './tables.ts';

/** A statement as it reaches the store. */
export interface StatementCall {
  readonly tables: Tables;
  /** Its text with single spaces. */
  readonly text: string;
  readonly params: readonly unknown[];
  /** The store's own clock. */
  readonly nowMs: number;
  /** The session that it came on. */
  readonly session: number;
}

export interface StatementResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The number of rows that it wrote; null for one that only reads. */
  readonly written: number | null;
}

/** What one statement of the gateway does, as the model of the store knows it. */
export interface Statement {
  readonly name: string;
  readonly matches: RegExp;
  run(call: StatementCall): StatementResult;
}

export function selected(rows: StatementResult['rows']): StatementResult {
  return { rows, written: null };
}

export function written(count: number, rows: StatementResult['rows'] = []): StatementResult {
  return { rows, written: count };
}

/** The text parameter at this place; 0 is the first. */
export function textAt({ params }: StatementCall, at: number): string {
  return String(params[at]);
}

/** The time parameter at this place, in Unix milliseconds. */
export function timeAt({ params }: StatementCall, at: number): number {
  const value = params[at];
  if (value instanceof Date) return value.getTime();
  throw new Error(`parameter ${at + 1} is no time: ${String(value)}`);
}

/** The rows of a JSON parameter. */
export function jsonAt<Row>(call: StatementCall, at: number): Row[] {
  return JSON.parse(textAt(call, at));
}

/** The names in the list of columns that a built query reads, or inserts. */
export function columnsIn(list: string): string[] {
  return [...list.matchAll(/"?(\w+)"?(?=\s*(?:,|\)|$))/g)].map(([, name = '']) => name);
}

/** The rows that a built insert states, by column. */
export function insertedRows({ text, params }: StatementCall): Record<string, unknown>[] {
  const columns = columnsIn(/\((.*?)\) values/.exec(text)?.[1] ?? '');
  const count = params.length / columns.length;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map((name, at) => [name, params[row * columns.length + at]])),
  );
}

/** Compares as the store orders texts: its ids are ASCII. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Fields of tasks that are longer are read on their own, bytes. */
export const longFields = 4_096;
