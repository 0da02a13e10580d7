import { compatARequest, compatBRequest } from '../engine/compat-request.ts';
import { chatRequest, type JsonObject } from '../engine/requests.ts';
import { judgeGenerateAnswer } from '../oracle/compat/generate-answer.ts';
import { judgeGenerateStream } from '../oracle/compat/generate-stream.ts';
import { judgeMessage, textIn } from '../oracle/compat/messages-answer.ts';
import { judgeMessageStream } from '../oracle/compat/messages-stream.ts';
import { judgeCompletion } from '../oracle/completion.ts';
import { judgeStream } from '../oracle/stream.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';

/** The protocols with which a drill calls chat models. */
export type DrillProtocol = 'core' | 'compat-a' | 'compat-b';

/** The content of a call, independent of the protocol. */
export interface Said {
  readonly model: string;
  readonly isStream: boolean;
  readonly system: string | null;
  /** Alternating, the user first. */
  readonly turns: readonly string[];
  readonly metadata: JsonObject | null;
}

/** More than any simulated answer has. */
const mostTokens = 4_096;

export function bodyFor(protocol: DrillProtocol, said: Said): JsonObject {
  const { model, isStream, system, turns, metadata } = said;
  const stream = isStream ? { stream: true } : {};
  const spoken = (other: string): { role: string; text: string }[] =>
    turns.map((text, at) => ({ role: at % 2 === 0 ? 'user' : other, text }));
  const messages = spoken('assistant').map(({ role, text }) => ({ role, content: text }));
  switch (protocol) {
    case 'core': {
      const first = system === null ? [] : [{ role: 'system', content: system }];
      return {
        model,
        ...stream,
        messages: [...first, ...messages],
        ...(metadata === null ? {} : { metadata }),
      };
    }
    case 'compat-a':
      return { model, max_tokens: mostTokens, ...stream, ...(system === null ? {} : { system }), messages };
    case 'compat-b': {
      const contents = spoken('model').map(({ role, text }) => ({ role, parts: [{ text }] }));
      return { contents, ...(system === null ? {} : { systemInstruction: { parts: [{ text: system }] } }) };
    }
  }
}

/** A call as it is sent. */
interface Sent {
  readonly protocol: DrillProtocol;
  readonly model: string;
  readonly isStream: boolean;
  readonly body: JsonObject;
}

export function requestOf(
  { protocol, model, isStream, body }: Sent,
  label: string,
  key: string,
): WireRequest {
  switch (protocol) {
    case 'core':
      return chatRequest(body, { label }, key);
    case 'compat-a':
      return compatARequest(body, { label }, key);
    case 'compat-b':
      return compatBRequest(model, body, { label, stream: isStream }, key);
  }
}

/**
 * The text of a successful answer.
 * @throws Violation
 */
export function textOfAnswer(
  { protocol, model, isStream }: Sent,
  exchange: Exchange,
  clockAheadMs: number,
): string | null {
  const expected = { requirement: 'RESP-023', aspect: 'drill', model, clockAheadMs };
  switch (protocol) {
    case 'core':
      return (isStream ? judgeStream : judgeCompletion)(exchange, expected).content;
    case 'compat-a':
      return textIn((isStream ? judgeMessageStream : judgeMessage)(exchange, expected));
    case 'compat-b':
      return (isStream ? judgeGenerateStream : judgeGenerateAnswer)(exchange, expected).text;
  }
}
