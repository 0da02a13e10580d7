import { setTimeout as wait } from 'node:timers/promises';
import { parseEvents, startRead } from '../wire.ts';

/** The outcome of one call. */
export interface Ended {
  readonly gateway: string;
  readonly atMs: number;
  readonly tookMs: number;
  /**
   * `answered`: complete and valid. `refused`: an error in its proper form. `unheard`: no byte came back. Any other text says
   * what was wrong.
   */
  readonly end: 'answered' | 'refused' | 'unheard' | string;
  readonly requestId: string;
  readonly code: string | null;
}

export interface FailoverCallers {
  readonly ended: readonly Ended[];
  /** Lets the calls in flight end, and stops. */
  stop(): Promise<void>;
}

/** Wait of a caller after a rejection, in ms. */
const pauseMs = 25;

/** Callers that use several gateways in turn, plain and streamed. Each key has one caller. */
export function startCallers(gateways: readonly string[], keys: readonly string[]): FailoverCallers {
  const ended: Ended[] = [];
  let isOver = false;
  const loop = async (key: string, place: number): Promise<void> => {
    for (let turn = place; !isOver; turn += 1) {
      const gateway = gateways[turn % gateways.length] ?? '';
      const one = await call(gateway, key, turn % 3 === 0);
      ended.push(one);
      if (one.end !== 'answered') await wait(pauseMs);
    }
  };
  const loops = keys.map(loop);
  return {
    ended,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

async function call(gateway: string, key: string, stream: boolean): Promise<Ended> {
  const atMs = Date.now();
  const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], stream };
  const seen = await startRead(`${gateway}/api/v1/chat/completions`, { method: 'POST', key, body }).then(
    (head) => readAnswer(head, stream),
    () => ({ requestId: '', code: null, end: 'unheard' }),
  );
  return { gateway, atMs, tookMs: Date.now() - atMs, ...seen };
}

async function readAnswer(
  { statusCode, headers, body }: Awaited<ReturnType<typeof startRead>>,
  stream: boolean,
): Promise<End & Pick<Ended, 'requestId'>> {
  const requestId = String(headers['x-request-id'] ?? '');
  try {
    const text = await body.text();
    const isJson = String(headers['content-type']).startsWith('application/json');
    const json = isJson && text !== '' ? JSON.parse(text) : null;
    return {
      requestId,
      ...(statusCode === 200 && stream ? endOfStream(text) : endOfAnswer(statusCode, json, headers)),
    };
  } catch (error) {
    return { requestId, code: null, end: `cut in its midst: ${String(error)}` };
  }
}

type End = Pick<Ended, 'end' | 'code'>;

function endOfStream(text: string): End {
  const { chunks, done } = parseEvents(text);
  if (!done) return { end: 'a stream without an end', code: null };
  const { error } = chunks.at(-1) ?? {};
  return error === undefined ? { end: 'answered', code: null } : endOfError(error);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever came as JSON is looked at.
function endOfAnswer(status: number, json: any, headers: Readonly<Record<string, unknown>>): End {
  if (status === 200)
    return { end: json?.choices?.[0] ? 'answered' : 'an answer without choices', code: null };
  if (json === null) return { end: `HTTP ${status} of ${String(headers['content-type'])}`, code: null };
  return endOfError(json.error);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever came as JSON is looked at.
function endOfError(error: any): End {
  const isProper = ['code', 'type', 'message'].every((name) => typeof error?.[name] === 'string');
  const tells = /ECONN|postgres|\bsql\b|read-only|terminat|5432/i.test(String(error?.message));
  const end = !isProper
    ? 'an error without its form'
    : tells
      ? 'an error that tells of the database'
      : 'refused';
  return { end, code: isProper ? error.code : null };
}
