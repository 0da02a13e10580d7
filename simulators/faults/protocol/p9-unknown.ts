import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { isObject } from '../../json/json-body.ts';
import { editJson, type JsonObject } from '../native/answer-json.ts';

/** An invented object that resembles nothing in any dialect. */
const note: JsonObject = { kind: 'marginal', lines: [1, 2], text_like: { said: 'none of the answer' } };
const unheardReason = 'ran_out_of_patience';

export const unknownThings: Fault = {
  id: 'P9',
  kind: 'edit',
  answer: (given, { form }) => {
    if (form === 'finish-reason') return editJson(given, (document) => withReason(document) as JsonObject);
    if (form !== 'kinds') return editJson(given, (document) => withMembers(document) as JsonObject);
    return given.call === 'stream' ? withEvents(given) : editJson(given, withParts);
  },
};

/** Adds an unknown member to every object, except where the caller defines the names: arguments and schemas. */
function withMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMembers);
  if (!isObject(value)) return value;
  const known = Object.entries(value).map(([name, inner]) => [
    name,
    callersOwn.includes(name) ? inner : withMembers(inner),
  ]);
  return { ...Object.fromEntries(known), marginal_note: note };
}

/** Members with the caller's own data, which an unknown member would change. */
const callersOwn: readonly string[] = ['args', 'input'];

/** Adds a part, block or annotation of an unknown kind before all others. */
function withParts(document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => {
      if (name === 'content' && Array.isArray(value))
        return [name, [{ type: 'marginal_note', note }, ...value]];
      if (name === 'parts' && Array.isArray(value)) return [name, [{ marginalNote: note }, ...value]];
      if (callersOwn.includes(name)) return [name, value];
      if (name === 'annotations') return [name, [{ type: 'marginal_note', marginal_note: note }]];
      if (Array.isArray(value))
        return [name, value.map((one) => (isObject(one) ? withParts(one as JsonObject) : one))];
      return [name, isObject(value) ? withParts(value as JsonObject) : value];
    }),
  );
}

/** Adds an event (or array element) of an unknown kind after each of the first two frames. */
function withEvents(given: NativeAnswer): NativeAnswer {
  const isEvents = given.frames.some(({ bytes }) => bytes.includes('data: '));
  const lineEnd = given.frames.some(({ bytes }) => bytes.includes('\r\n')) ? '\r\n' : '\n';
  const data = JSON.stringify({ type: 'marginal_note', note });
  const event = ['event: marginal_note', `data: ${data}`, '', ''].join(lineEnd);
  const added = Buffer.from(isEvents ? event : `\n,\r\n${data}`);
  return {
    ...given,
    frames: given.frames.map(
      (frame, at): Frame =>
        at < 2 && frame.label !== 'done' ? { ...frame, bytes: Buffer.concat([frame.bytes, added]) } : frame,
    ),
  };
}

/** Replaces the finish reason, which each dialect names differently. */
function withReason(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReason);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isReason = ['finish_reason', 'stop_reason', 'finishReason'].includes(name) && inner !== null;
      if (isReason) return [name, name === 'finishReason' ? unheardReason.toUpperCase() : unheardReason];
      return [name, withReason(inner)];
    }),
  );
}
