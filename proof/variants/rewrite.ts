import { exactBody, isRawNumber, objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation } from '../../suites/rewrite/mutation.ts';
import { isJsonObject } from '../../suites/values/json.ts';

export type JsonObject = Record<string, unknown>;

/** A mutation that rewrites every JSON object: whole answers, errors, chunks. */
export function everyObject(
  change: (value: JsonObject) => JsonObject,
  write = JSON.stringify as Writer,
): Mutation {
  return {
    answer: (answer) => {
      const value = exactIn(answer.body);
      return value === null ? answer : { ...answer, body: Buffer.from(write(change(value))) };
    },
    events: () => (event) => {
      if (event === null) return [];
      const value = chunkIn(event);
      return [value === null ? event : `data: ${write(change(value)).replaceAll(/\n\s*/g, ' ')}`];
    },
  };
}

/** The same for the error object of error answers and error events; everything else passes unchanged. */
export function everyError(change: (error: JsonObject) => JsonObject): Mutation {
  return everyObject((value) => (isObject(value.error) ? { ...value, error: change(value.error) } : value));
}

/** A mutation of the chunks of streams; other events pass unchanged. */
export function everyChunk(change: (chunk: JsonObject) => readonly JsonObject[]): Mutation {
  return {
    events: () => (event) => {
      if (event === null) return [];
      const chunk = chunkIn(event);
      return chunk === null ? [event] : change(chunk).map(toEvent);
    },
  };
}

export function chunkIn(event: string): JsonObject | null {
  return event.startsWith('data: ') ? exactIn(Buffer.from(event.slice(6))) : null;
}

export function toEvent(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}`;
}

export function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && !isRawNumber(value);
}

/** The JSON object of a body with all digits of its numbers, or null. */
function exactIn(body: Buffer): JsonObject | null {
  return objectIn(body) === null ? null : exactBody(body.toString('utf8'));
}

type Writer = (value: JsonObject) => string;
