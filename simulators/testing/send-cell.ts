import type { IncomingMessage } from 'node:http';
import {
  type AnswerKind,
  answerKinds,
  type ChatDialectName,
  chatDialectNames,
} from '../answers/native-answer.ts';
import type { FaultFacts } from '../control/fault-facts.ts';
import { formsIn } from '../fault-contract/known-faults.ts';
import { openPost } from './post.ts';
import { chatBody } from './post-chat.ts';
import { modelUrl, oneContent } from './post-generate.ts';
import { messagesBody, messagesHeaders } from './post-messages.ts';
import type { TestSimulators } from './simulators.ts';

/** One combination of a fault, a chat dialect, a call and a form. */
export interface Cell {
  readonly dialect: ChatDialectName;
  readonly call: AnswerKind;
  /** Null for a fault with a single form. */
  readonly form: string | null;
}

/** An answer without any decoding or validation. */
export interface RawAnswer {
  readonly status: number;
  /** Names and values as they were on the wire. */
  readonly headers: readonly (readonly [string, string])[];
  /** The value of the first header with that name. */
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** The cells of a fault over HTTP/1. */
export function cellsOf(facts: FaultFacts): Cell[] {
  const { dialects, calls, http } = facts;
  if (http === 2) return [];
  const asked = answerKinds.filter((call) => calls.includes(call));
  return chatDialectNames
    .filter((dialect) => dialects.includes(dialect))
    .flatMap((dialect) =>
      asked.flatMap((call) => formsIn(facts, dialect).map((form) => ({ dialect, call, form }))),
    );
}

/** The scripted content of every cell, split into these deltas in a stream. */
export const cellDeltas: readonly string[] = ['It was a dark ', 'and stormy ', 'night.'];

/** Scripts the fault in a new tenant, makes the cell's call, and reads the answer to its end. */
export async function sendCell(
  simulators: TestSimulators,
  { id, reply = {} }: FaultFacts,
  { dialect, call, form }: Cell,
): Promise<RawAnswer> {
  const tenant = simulators.tenant();
  const fault = form === null ? { id } : { id, form };
  await tenant.script({ replies: [{ deltas: [...cellDeltas], ...reply, fault }] });
  return readRaw(await openCall(simulators.base(tenant.name), dialect, call));
}

/** The same call without a fault. */
export async function sendGood(
  simulators: TestSimulators,
  { reply = {} }: FaultFacts,
  { dialect, call }: Cell,
): Promise<RawAnswer> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ deltas: [...cellDeltas], ...reply }] });
  return readRaw(await openCall(simulators.base(tenant.name), dialect, call));
}

/** Calls a model of the dialect; returns when the head of the answer is there. */
export function openCall(base: string, dialect: ChatDialectName, call: AnswerKind): Promise<IncomingMessage> {
  const stream = call === 'stream';
  switch (dialect) {
    case 'chat-completions': {
      const options = stream ? { stream, stream_options: { include_usage: true } } : {};
      const headers = { authorization: 'Bearer sk-upstream' };
      return openPost(`${base}/chat/completions`, chatBody(options), headers);
    }
    case 'messages':
      return openPost(`${base}/messages`, messagesBody(stream ? { stream } : {}), messagesHeaders);
    case 'generate-content': {
      const act = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return openPost(modelUrl(base, act), { contents: oneContent }, { 'x-goog-api-key': 'sk-upstream' });
    }
  }
}

/** Reads an answer to its end. */
export async function readRaw(response: IncomingMessage): Promise<RawAnswer> {
  const { rawHeaders } = response;
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers,
    header: (name) => headers.find(([given]) => given.toLowerCase() === name)?.[1],
    body: Buffer.concat(chunks),
  };
}
