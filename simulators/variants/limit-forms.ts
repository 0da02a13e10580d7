import type { NativeAnswer } from '../answers/native-answer.ts';
import { isJsonObject, type JsonObject } from '../faults/native/json-path.ts';

/** How a provider's own 429 states the wait. It replaces every other statement of it. */
export interface LimitForm {
  /** `{seconds}` is the wait, `{epoch}` its end in seconds since 1970. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the error in the body. */
  readonly error?: JsonObject;
}

/** The wait, seconds. */
const waitS = 8;

/** Headers that state a wait, or the state of a limit, in any dialect. */
const stating = /^(?:retry-after|(?:x-|anthropic-)?ratelimit\b)/i;

/** A refusal for a limit, with the wait in this form. */
export function withLimitForm(
  given: NativeAnswer,
  { headers = {}, error = {} }: LimitForm,
  nowMs: number,
): NativeAnswer {
  const kept = Object.entries(given.headers).filter(([name]) => !stating.test(name));
  const epoch = String(Math.floor(nowMs / 1000) + waitS);
  const own = Object.entries(headers).map(([name, form]) => [
    name,
    form.replaceAll('{seconds}', String(waitS)).replaceAll('{epoch}', epoch),
  ]);
  return {
    ...given,
    // The reader compares a point in time with the date of the same answer.
    headers: { ...Object.fromEntries(kept), date: new Date(nowMs).toUTCString(), ...Object.fromEntries(own) },
    frames: given.frames.map((frame) => ({ ...frame, bytes: withError(frame.bytes, error) })),
  };
}

/** The message of an error states no wait. */
function withError(bytes: Buffer, members: JsonObject): Buffer {
  const body: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isJsonObject(body) || !isJsonObject(body.error)) return bytes;
  const error = { ...body.error, message: 'The limit is exceeded.', ...members };
  return Buffer.from(`${JSON.stringify({ ...body, error }, null, 2)}\n`);
}
