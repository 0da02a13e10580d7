import { type ErrorCode, errorTable } from '../../suites/oracle/error-table.ts';
import { type Body, exactBody, objectIn, objectsIn } from '../../suites/rewrite/json.ts';
import {
  jsonAnswer,
  type Mutation,
  type ProxyAnswer,
  type ProxyRequest,
} from '../../suites/rewrite/mutation.ts';
import { refusal } from '../../suites/rewrite/refusal-edits.ts';
import { type Claim, front, type Mutant } from './mutant.ts';
import { eventsOf, toUpstream } from './native-edits.ts';

/** Changes to compat path A only, in front of the reference gateway. */

export function isA({ path }: ProxyRequest): boolean {
  return path.startsWith('/compat-a/');
}

/** A mutant whose mutation changes only compat path A. */
export function frontA(claim: Claim, { request, answer, events, ...rest }: Mutation): Mutant {
  return front(claim, {
    ...rest,
    ...(request && { request: (sent) => (isA(sent) ? request(sent) : sent) }),
    ...(answer && { answer: (got, sent) => (isA(sent) ? answer(got, sent) : got) }),
    ...(events && {
      events: (sent) =>
        isA(sent)
          ? events(sent)
          : (event: string | null): readonly string[] => (event === null ? [] : [event]),
    }),
  });
}

/** Changes requests on their way in; numbers keep their digits. */
export function requestsA(edit: (body: Body) => void): Mutation {
  return toUpstream('messages', edit);
}

/** Changes whole answers; numbers keep their digits. */
export function plainA(edit: (message: Body, request: Body) => void): Mutation {
  return {
    answer: (answer, request) => {
      if (answer.status !== 200 || objectIn(answer.body) === null) return answer;
      const message = exactBody(answer.body.toString('utf8'));
      edit(message, objectIn(request.body) ?? {});
      return { ...answer, body: Buffer.from(JSON.stringify(message)) };
    },
  };
}

/** Changes the events of streams. The result of `edit` replaces the event. */
export function eventsA(edit: (event: Body) => readonly Body[]): Mutation {
  return eventsOf('messages', edit);
}

/** Changes the text of events, with their names. Null marks the end of the stream. */
export function rawEventsA(
  edit: (event: string) => readonly string[],
  last: readonly string[] = [],
): Mutation {
  return { events: () => (event) => (event === null ? last : edit(event)) };
}

/** Changes the message of a complete answer, and the message that opens a stream. */
export function messagesA(edit: (message: Body) => void): Mutation {
  return {
    ...plainA((message) => edit(message)),
    ...eventsA((event) => {
      if (event.type === 'message_start') edit(event.message as Body);
      return [event];
    }),
  };
}

/** Changes usage counts in whole answers, and at the start and end of a stream. */
export function countsA(edit: (usage: Body) => void): Mutation {
  const change = (part: Body): void => {
    const { usage } = part.type === 'message_start' ? (part.message as Body) : part;
    if (usage !== undefined && usage !== null) edit(usage as Body);
  };
  return {
    ...plainA(change),
    ...eventsA((event) => {
      change(event);
      return [event];
    }),
  };
}

/** Changes the blocks of whole answers. */
export function blocksA(edit: (blocks: Body[]) => Body[]): Mutation {
  return plainA((message) => {
    message.content = edit(objectsIn(message.content));
  });
}

/** Changes refusals. The result is their new status. */
export function refusalsA(edit: (body: Body, answer: ProxyAnswer) => number | undefined): Mutation {
  return {
    answer: (answer) => {
      const body = objectIn(answer.body);
      if (body === null || answer.status < 400) return answer;
      const status = edit(body, answer) ?? answer.status;
      return { ...answer, status, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

/** Refuses requests that the reference accepts. */
export function refusesA(
  when: (body: Body, request: ProxyRequest) => boolean,
  code: ErrorCode = 'invalid_param',
  param: string | null = null,
): Mutation {
  return {
    request: (request) => (when(objectIn(request.body) ?? {}, request) ? refusal(code, param) : request),
  };
}

/** Changes the headers of requests. */
export function headersA(change: (name: string, value: string) => string | null): Mutation {
  return {
    request: (request) => ({
      ...request,
      headers: request.headers.flatMap(([name, value]) => {
        const changed = change(name, value);
        return changed === null ? [] : [[name, changed] as const];
      }),
    }),
  };
}

export function headerIn({ headers }: ProxyRequest, wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}

export function errorIn(body: Body): Body {
  return (body.error ?? {}) as Body;
}

/** The turns of a request. */
export function turnsOf(body: Body): Body[] {
  return objectsIn(body.messages);
}

/** Every block of a request that may carry a cache hint, except blocks inside tool results. */
export function markable(body: Body): Body[] {
  return [
    ...objectsIn(body.tools),
    ...objectsIn(body.system),
    ...turnsOf(body).flatMap(({ content }) => objectsIn(content)),
  ];
}

/** Replaces one refusal by that of another code, with its status and type. */
export function miscalledA(code: ErrorCode, other: ErrorCode): Mutation {
  return refusalsA((body) => {
    const error = errorIn(body);
    if (error.code !== code) return undefined;
    const { status, type } = errorTable[other];
    Object.assign(error, { code: other, type, param: null, channel: null });
    return status;
  });
}

/** Accepts an invalid request as if it were legal. */
export function takesA(
  id: string,
  title: string,
  requirement: string,
  repair: (body: Body) => void,
  aspect = 'refused',
): Mutant {
  return frontA([`compa.${id}`, title, requirement, aspect], requestsA(repair));
}

/** A fabricated message that no upstream produced. */
export function messageFor(request: ProxyRequest): ProxyAnswer {
  const { model = 'beta-mid-4-5' } = JSON.parse(request.body.toString('utf8')) as Body;
  return jsonAnswer(200, {
    id: 'msg_mutant',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: 'Hello.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 1 },
  });
}

/** A gateway that does not pass a native request to its upstream unchanged. */
export function losesA(
  id: string,
  title: string,
  [requirement, aspect]: readonly [string, string],
  edit: (body: Body) => void,
): Mutant {
  return frontA([`compa.${id}`, title, requirement, aspect], requestsA(edit));
}
