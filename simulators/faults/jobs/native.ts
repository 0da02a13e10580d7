import type { DialectName, NativeAnswer } from '../../answers/native-answer.ts';
import { editJson, type JsonObject } from '../native/answer-json.ts';
import { oneBody } from '../native/refusal.ts';

const json = { 'content-type': 'application/json' };

/** An error that both job dialects can render. */
export interface JobRefusal {
  /** The HTTP status of the jobs dialect, whose body has the code word. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The code of the callback-jobs dialect, when it differs from the status. */
  readonly bodyCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly param?: string;
}

/** An error as the dialect renders it: by the HTTP status, or by a code in a 200 answer. */
export function jobRefusal(dialect: DialectName, refusal: JobRefusal): NativeAnswer {
  const { status, code, message, bodyCode = status, headers = {}, param = null } = refusal;
  const type = status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return dialect === 'callback-jobs'
    ? jsonAnswer(dialect, 200, { code: bodyCode, msg: message, data: null }, headers)
    : jsonAnswer(dialect, status, { error: { message, type, param, code } }, headers);
}

/** The upstream does not know the job. */
export function unknownJob(dialect: DialectName): NativeAnswer {
  const message = dialect === 'callback-jobs' ? 'record not found' : 'There is no job of this id.';
  return jobRefusal(dialect, { status: 404, code: 'job_not_found', message });
}

function jsonAnswer(
  dialect: DialectName,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>>,
): NativeAnswer {
  const body = Buffer.from(JSON.stringify(value));
  return oneBody(dialect, { status, headers: { ...json, ...headers }, body });
}

/** The answer with a changed job object: the body itself, or its `data`. */
export function editJob(given: NativeAnswer, edit: (job: JsonObject) => JsonObject): NativeAnswer {
  return editJson(given, (document) => {
    const { data } = document;
    if (given.dialect !== 'callback-jobs') return edit(document);
    return typeof data === 'object' && data !== null
      ? { ...document, data: edit(data as JsonObject) }
      : document;
  });
}

/** The object without these members. */
export function without(job: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(job).filter(([name]) => !members.includes(name)));
}
