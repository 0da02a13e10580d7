import type { WholeAnswer } from '../../answers/whole-answer.ts';

/** The code in the body of every answer; the HTTP status is always 200. */
export type NativeCode = 200 | 400 | 401 | 404 | 413 | 429 | 455 | 500 | 501 | 531;

/** An error: its code, and a sentence. */
export interface Refusal {
  readonly code: NativeCode;
  readonly msg: string;
}

export function renderAnswer(code: NativeCode, msg: string, data: object | null): WholeAnswer {
  const body = Buffer.from(JSON.stringify({ code, msg, data }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

export function renderRefusal({ code, msg }: Refusal): WholeAnswer {
  return renderAnswer(code, msg, null);
}

/** The answer for a scripted status without a scripted body. The code in the body equals the status. */
export function errorOfStatus(status: number): WholeAnswer {
  const code = codes.find((known) => known === status) ?? (status >= 500 ? 500 : 400);
  return { ...renderAnswer(code, messages[code], null), status };
}

const messages: Readonly<Record<NativeCode, string>> = {
  200: 'success',
  400: 'the request is not valid',
  401: 'the key is not valid',
  404: 'record not found',
  413: 'the text contains sensitive words',
  429: 'the system is busy, try again later',
  455: 'the system is under maintenance',
  500: 'internal server error',
  501: 'generation failed',
  531: 'generation failed, the credits were returned',
};

const codes: readonly NativeCode[] = [400, 401, 404, 413, 429, 455, 500, 501, 531];
