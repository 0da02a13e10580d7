import {
  editAnswer,
  editChunks,
  type Mutation,
  objectIn,
  type ProxyAnswer,
  type ProxyRequest,
} from './mutation.ts';

/** A JSON object on the wire. */
export type Json = Record<string, unknown>;

/** Changes plain completions, knowing the request; errors and streams pass. */
export function inPlain(edit: (completion: Json, request: Json) => void): Mutation {
  return {
    answer: editAnswer((body, _, request) => {
      if (Array.isArray(body.choices)) edit(body, objectIn(request.body) ?? {});
    }),
  };
}

/** Changes the chunks of streams; what `edit` returns takes the chunk's place, and nothing returned leaves it changed. */
export function inChunks(edit: (chunk: Json, index: number) => Json[] | undefined): Mutation {
  return {
    events: editChunks((chunk, index) =>
      Array.isArray(chunk.choices) ? (edit(chunk, index) ?? [chunk]) : [chunk],
    ),
  };
}

/** The same change to plain completions and to each chunk. */
export function inBoth(edit: (part: Json) => void): Mutation {
  return {
    ...inPlain((completion) => edit(completion)),
    ...inChunks((chunk) => {
      edit(chunk);
      return undefined;
    }),
  };
}

/** Changes the events of a stream as text: `data: …` without the blank line; null is the end of the stream. */
export function inEvents(edit: (event: string) => readonly string[]): Mutation {
  return { events: () => (event) => (event === null ? [] : edit(event)) };
}

/** Whether an event of a stream reports a failure. */
export function isErrorEvent(event: string): boolean {
  return event.startsWith('data: {"error"');
}

/** Refuses the requests that `when` picks, with 400 invalid_param. */
export function refusing(when: (body: Json) => boolean): Mutation {
  return { request: (request) => (when(objectIn(request.body) ?? {}) ? refusal(request) : request) };
}

/** As an upstream: fails on the plain answers that `when` picks. */
export function failingUpstream(
  when: (completion: Json) => boolean,
  status = 500,
  error: Json = {},
): Mutation {
  return {
    answer: (answer) => {
      const body = objectIn(answer.body);
      return body !== null && when(body)
        ? { ...answer, status, body: Buffer.from(JSON.stringify({ error })) }
        : answer;
    },
  };
}

export function jsonAnswer(status: number, body: unknown): ProxyAnswer {
  return { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)) };
}

function refusal(_request: ProxyRequest): ProxyAnswer {
  const error = {
    type: 'invalid_request_error',
    code: 'invalid_param',
    message: 'This cannot be.',
    channel: null,
    param: null,
  };
  return jsonAnswer(400, { error });
}

/** The first choice of a completion or a chunk; an empty object when there is none. */
export function choiceOf(part: Json): Json {
  return objectAt((part.choices as unknown[])[0]);
}

export function messageOf(completion: Json): Json {
  return objectAt(choiceOf(completion).message);
}

export function deltaOf(chunk: Json): Json {
  return objectAt(choiceOf(chunk).delta);
}

/** The usage of a completion or chunk, or null where there is none. */
export function usageOf(part: Json): Record<string, number> | null {
  return part.usage === null || part.usage === undefined ? null : (part.usage as Record<string, number>);
}

/** Sets counts of the usage, where there is one, and makes the total their sum again. */
export function recount(part: Json, counts: (usage: Record<string, number>) => Record<string, number>): void {
  const usage = usageOf(part);
  if (usage === null) return;
  Object.assign(usage, counts(usage));
  usage.total_tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
}

/** Changes the text of a plain completion. */
export function retext(change: (text: string) => string): Mutation {
  return inPlain((completion) => {
    const message = messageOf(completion);
    if (typeof message.content === 'string') message.content = change(message.content);
  });
}

function objectAt(value: unknown): Json {
  return value !== null && typeof value === 'object' ? (value as Json) : {};
}
