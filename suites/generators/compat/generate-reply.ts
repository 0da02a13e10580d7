import type { Reply } from 'gatecheck-simulators/client';
import { asStream } from '../native/answer.ts';

/** The native answer of a generate-content upstream, which is sent unchanged. */
export interface RawGenerate {
  readonly parts: readonly object[];
  /** Null leaves it out. Default: STOP. */
  readonly finish?: string | null;
  /** The whole `usageMetadata`; null leaves it out. */
  readonly usage?: object | null;
  /** Further members of the candidate. */
  readonly candidate?: object;
}

export const rawModel = 'native-model-0042';
export const rawId = 'native-response-0042';
const rawUsage = { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 };

/** A whole answer. Numbers keep the digits in which they are written. */
export function plainReply(answer: RawGenerate): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(bodyOf(answer)),
  };
}

/** The same as a stream: one event for each part, and one for the end. */
export function streamReply({ parts, finish = 'STOP', ...rest }: RawGenerate): Reply {
  return asStream(
    parts.map((part) => eventOf({ ...rest, parts: [part], finish: null })),
    eventOf({ ...rest, parts: [], finish }),
  );
}

/** A stream of a single event, which is also the last. */
export function oneEventReply(answer: RawGenerate): Reply {
  return asStream(eventOf(answer));
}

export function replyOf(answer: RawGenerate, stream: boolean): Reply {
  return stream ? streamReply(answer) : plainReply(answer);
}

export function eventOf(answer: RawGenerate): string {
  return `data: ${JSON.stringify(bodyOf(answer))}\r\n\r\n`;
}

function bodyOf({ parts, finish = 'STOP', usage = rawUsage, candidate = {} }: RawGenerate): object {
  return {
    candidates: [
      {
        ...(parts.length === 0 ? {} : { content: { parts, role: 'model' } }),
        ...(finish === null ? {} : { finishReason: finish }),
        index: 0,
        ...candidate,
      },
    ],
    ...(usage === null ? {} : { usageMetadata: usage }),
    modelVersion: rawModel,
    responseId: rawId,
  };
}
