import type { AnswerKind } from '../../answers/native-answer.ts';
import { type ClientRig, memberOf, nothingShown, type Shown } from './client-rig.ts';

/** The result that the caller of the client receives. Empty members are omitted. */
export interface Outcome {
  /** `never`: nothing more arrived until the caller aborted; `error` is then the abort error. */
  readonly ends: 'answer' | 'error' | 'never';
  /** The name of the error's class. */
  readonly error?: string;
  /** The class is one of the client's own API error classes. */
  readonly own?: true;
  readonly status?: number;
  /** The error code of the upstream, if the class exposes it; otherwise its type. */
  readonly code?: string;
  /** `<whole>` stands for the complete scripted text. A very long text is replaced by its length. */
  readonly text?: string;
  readonly finish?: string;
  readonly usage?: readonly [input: unknown, output: unknown];
  readonly calls?: readonly (readonly [name: string, args: string])[];
  readonly instead?: string;
}

/**
 * An outcome as a line of the table, such as `error RateLimitError (own) 429 rate_limit_error` or
 * `answer, stop, 1431/29, says <whole>`: how it ends, finish reason, usage, calls, and the text up to the end.
 */
export function outcomeLine({ ends, error, own, status, code, ...shown }: Outcome): string {
  const { finish, usage, calls, instead, text } = shown;
  const ending = [ends, error, own && '(own)', status, code].filter((part) => part !== undefined).join(' ');
  return [
    ending,
    finish,
    usage?.map((count) => JSON.stringify(count)).join('/'),
    calls?.map(([name, args]) => `calls ${name} with ${args}`).join(', '),
    instead === undefined ? undefined : `instead ${instead}`,
    text === undefined ? undefined : `says ${text}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** How long the client waits, and how long its caller does; ms. */
export interface Timeouts {
  readonly clientMs: number;
  readonly callerMs: number;
}

/** Long enough that only a defect reaches these timeouts. */
export const ordinary: Timeouts = { clientMs: 120_000, callerMs: 60_000 };
/** For calls that never end. A slow machine still receives everything that was sent, and the client's timeout fires first. */
export const brief: Timeouts = { clientMs: 5000, callerMs: 8500 };

/**
 * Makes one call and returns its outcome, error or not. `whole` is the scripted text of the upstream.
 * @throws DeafClient when the call goes on after its caller aborted.
 */
export async function outcomeOf(
  rig: ClientRig,
  call: AnswerKind,
  origin: string,
  whole: string,
  { clientMs, callerMs }: Timeouts = ordinary,
): Promise<Outcome> {
  const shown = nothingShown();
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), callerMs);
  const deaf = Promise.withResolvers<never>();
  const guard = setTimeout(() => deaf.reject(new DeafClient(rig.client)), callerMs + graceMs);
  try {
    const asking = rig.ask(call, { origin, timeoutMs: clientMs, signal: leaving.signal }, shown);
    await Promise.race([asking, deaf.promise]);
    return { ends: leaving.signal.aborted ? 'never' : 'answer', ...shownFacts(shown, whole) };
  } catch (error) {
    if (error instanceof DeafClient) throw error;
    const ends = leaving.signal.aborted ? 'never' : 'error';
    return { ends, ...errorFacts(rig, error), ...shownFacts(shown, whole) };
  } finally {
    clearTimeout(timer);
    clearTimeout(guard);
  }
}

/** How long a client may take to abort, ms. */
const graceMs = 3000;

/** A call that continues after its caller aborted. No table has an outcome for it. */
class DeafClient extends Error {
  constructor(client: string) {
    super(`${client} goes on with a call that its caller has left`);
  }
}

function errorFacts(rig: ClientRig, error: unknown): Pick<Outcome, 'error' | 'own' | 'status' | 'code'> {
  const isOwn = rig.isOwn(error);
  const status = memberOf(error, 'status');
  const code = [memberOf(error, 'code'), memberOf(error, 'type')].find((one) => typeof one === 'string');
  return {
    error: nameOf(error),
    ...(isOwn ? { own: true } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(isOwn && typeof code === 'string' ? { code } : {}),
  };
}

/** The constructor name, because error classes of clients often keep the name `Error`. A `DOMException` has its own name. */
function nameOf(error: unknown): string {
  if (error instanceof DOMException) return error.name;
  return error instanceof Error ? error.constructor.name : typeof error;
}

const longestText = 1000;

function shownFacts({ text, finish, usage, calls, instead }: Shown, whole: string): Partial<Outcome> {
  return {
    ...(text === null ? {} : { text: inShort(text, whole) }),
    ...(finish === null ? {} : { finish: String(finish) }),
    ...(usage === null ? {} : { usage: [inJson(usage[0]), inJson(usage[1])] }),
    ...(calls.length === 0 ? {} : { calls: calls.filter((one) => one !== undefined) }),
    ...(instead === null ? {} : { instead }),
  };
}

function inShort(text: string, whole: string): string {
  if (text !== '' && text === whole) return '<whole>';
  return text.length > longestText ? `<${text.length} characters>` : text;
}

/** A value that JSON can hold: undefined becomes null, and an infinite number becomes text. */
function inJson(count: unknown): unknown {
  if (count === undefined) return null;
  return typeof count === 'number' && !Number.isFinite(count) ? String(count) : count;
}
