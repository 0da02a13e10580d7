import type { ErrorCode } from '../../suites/oracle/error-table.ts';
import { type Body, exactBody, objectIn, objectsIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { refusal } from '../../suites/rewrite/refusal-edits.ts';
import { type Claim, front, type Mutant, upstream } from './mutant.ts';
import { toUpstream } from './native-edits.ts';

/** Changes to compat path B only, in front of the reference gateway. */

export function isB({ path }: ProxyRequest): boolean {
  return path.startsWith('/compat-b/');
}

/** A mutant whose mutation changes only compat path B. */
export function frontB(claim: Claim, mutation: Mutation): Mutant {
  return front(claim, onlyB(mutation));
}

function onlyB({ request, answer, events, ...rest }: Mutation): Mutation {
  return {
    ...rest,
    ...(request && { request: (sent) => (isB(sent) ? request(sent) : sent) }),
    ...(answer && { answer: (got, sent) => (isB(sent) ? answer(got, sent) : got) }),
    ...(events && {
      events: (sent) =>
        isB(sent)
          ? events(sent)
          : (event: string | null): readonly string[] => (event === null ? [] : [event]),
    }),
  };
}

/** A change between the gateway and its generate-content upstreams. */
export function passesB(
  id: string,
  title: string,
  [requirement, aspect]: [string, string],
  edit: (body: Body) => void,
): Mutant {
  return upstream([`compb.${id}`, title, requirement, aspect], toUpstream('generate-content', edit));
}

/** Changes whole answers; numbers keep their digits. */
export function plainB(edit: (body: Body) => void): Mutation {
  return {
    answer: (got) => {
      if (got.status !== 200 || objectIn(got.body) === null) return got;
      const body = exactBody(got.body.toString('utf8'));
      edit(body);
      return { ...got, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

/** Changes the events of streams. The result of `edit` replaces the event; undefined leaves it unchanged. */
export function chunksB(edit: (chunk: Body, index: number) => readonly Body[] | undefined): Mutation {
  return {
    events: () => {
      let index = -1;
      return (event) => {
        const chunk = event?.startsWith('data: {') ? exactBody(event.slice(6)) : null;
        if (event === null || chunk === null) return event === null ? [] : [event];
        index += 1;
        return (edit(chunk, index) ?? [chunk]).map((changed) => `data: ${JSON.stringify(changed)}`);
      };
    },
  };
}

/** Makes the same change to whole answers and to each event. Errors pass unchanged. */
export function answersB(edit: (part: Body) => void): Mutation {
  return {
    ...plainB(edit),
    ...chunksB((chunk) => {
      if (!('error' in chunk)) edit(chunk);
      return undefined;
    }),
  };
}

/** Changes the path or the query of a request. */
export function pathsB(change: (path: string, body: Body) => string): Mutation {
  return { request: (sent) => ({ ...sent, path: change(sent.path, objectIn(sent.body) ?? {}) }) };
}

/** Refuses requests by their body or their address. */
export function refusesB(
  when: (body: Body, sent: ProxyRequest) => boolean,
  code: ErrorCode = 'invalid_param',
): Mutation {
  return { request: (sent) => (when(objectIn(sent.body) ?? {}, sent) ? refusal(code) : sent) };
}

/** Replaces the error event of a stream by what `edit` returns. */
export function failuresB(edit: (event: string) => readonly string[]): Mutation {
  return {
    events: () => (event) =>
      event === null ? [] : event.startsWith('data: {"error"') ? edit(event) : [event],
  };
}

export function candidateOf(part: Body): Body {
  return objectsIn(part.candidates)[0] ?? {};
}

export function partsOf(part: Body): Body[] {
  const { content } = candidateOf(part);
  return objectsIn((content as Body | undefined)?.parts);
}

export function countsOf(part: Body): Record<string, number> | null {
  return (part.usageMetadata as Record<string, number> | undefined) ?? null;
}

export function turnsOf(body: Body): Body[] {
  return objectsIn(body.contents);
}

/** The model in the path. */
export function modelOf({ path }: ProxyRequest): string {
  return /\/models\/([^/:?]+)/.exec(path)?.[1] ?? '';
}

/** The query parameter `key`, still percent-encoded. */
export function keyOf({ path }: ProxyRequest): string {
  return /[?&]key=([^&]*)/.exec(path)?.[1] ?? '';
}

/** A fabricated answer of the protocol that no upstream produced. */
export function generated(sent: ProxyRequest): ProxyAnswer {
  const body = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
    modelVersion: modelOf(sent),
  };
  const text = JSON.stringify(body);
  const [type, bytes] = sent.path.includes(':stream')
    ? ['text/event-stream', `data: ${text}\n\n`]
    : ['application/json', text];
  return { status: 200, headers: [['content-type', type]], body: Buffer.from(bytes) };
}
