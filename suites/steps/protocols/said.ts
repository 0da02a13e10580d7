import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { judgeGenerateAnswer } from '../../oracle/compat/generate-answer.ts';
import { judgeGenerateStream } from '../../oracle/compat/generate-stream.ts';
import { judgeMessage, type MessageAnswer, textIn, toolUses } from '../../oracle/compat/messages-answer.ts';
import { judgeMessageStream } from '../../oracle/compat/messages-stream.ts';
import type { Completion } from '../../oracle/completion.ts';
import { endMeanings } from '../../oracle/exchange/finish-words.ts';
import { type Json, readArguments } from '../../oracle/native/json.ts';
import type { StreamedCompletion } from '../../oracle/stream.ts';
import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';
import { coreProtocol, type Protocol } from './protocol.ts';
import type { ProtocolModel } from './protocol-model.ts';

/** The meaning of an answer, whatever its protocol. */
export interface Said {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly finish: string;
  /** All input, including cached and written tokens, and all output, including thoughts. */
  readonly usage: { readonly prompt: number; readonly completion: number; readonly cached: number };
}

export interface ExpectedSaid {
  readonly requirement: string;
  readonly aspect: string;
  readonly model: string;
  readonly stream?: boolean;
  readonly twin?: Exchange | undefined;
}

/** Maps native finish reasons to the four of the common form (specification, "Chat response"). */
const meanings: Readonly<Record<string, string>> = {
  ...endMeanings.messages,
  ...endMeanings['generate-content'],
  pause_turn: 'length',
  model_context_window_exceeded: 'length',
};

/** Judges an answer by the form of its protocol, and reads its meaning. */
export function readSaid(judge: Judge, protocol: Protocol, exchange: Exchange, expected: ExpectedSaid): Said {
  const { stream = false, ...own } = expected;
  switch (protocol.name) {
    case 'core':
      return saidInCore(stream ? judge.streamed(exchange, own) : judge.completed(exchange, own));
    case 'compat-a':
      return saidInA(stream ? judgeMessageStream(exchange, own) : judgeMessage(exchange, own));
    case 'compat-b': {
      const answer = stream ? judgeGenerateStream(exchange, own) : judgeGenerateAnswer(exchange, own);
      const { promptTokenCount = 0, cachedContentTokenCount: cached = 0 } = answer.usage;
      const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usage;
      const calls = answer.parts.flatMap(({ functionCall }) => functionCall ?? []);
      return {
        text: answer.text,
        calls: calls.map(({ name, args = {} }) => ({ name, arguments: args })),
        finish:
          calls.length > 0 && answer.finishReason === 'STOP' ? 'tool_calls' : meant(answer.finishReason),
        usage: { prompt: promptTokenCount, completion: candidatesTokenCount + thoughtsTokenCount, cached },
      };
    }
  }
}

function saidInCore({ content, toolCalls, finishReason, usage }: Completion | StreamedCompletion): Said {
  return {
    text: content ?? '',
    calls: toolCalls.map(({ function: { name, arguments: text } }) => ({
      name,
      arguments: readArguments(text),
    })),
    finish: finishReason,
    usage: {
      prompt: usage.prompt_tokens,
      completion: usage.completion_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    },
  };
}

function saidInA(answer: MessageAnswer): Said {
  const cached = countIn(answer.usage, 'cache_read_input_tokens');
  const written = countIn(answer.usage, 'cache_creation_input_tokens');
  return {
    text: textIn(answer),
    calls: toolUses(answer).map(({ name, input }) => ({ name: String(name), arguments: input })),
    finish: meant(answer.stopReason),
    usage: {
      prompt: countIn(answer.usage, 'input_tokens') + cached + written,
      completion: countIn(answer.usage, 'output_tokens'),
      cached,
    },
  };
}

function meant(word: string): string {
  return meanings[word] ?? word;
}

function countIn(usage: Json, name: string): number {
  const count = usage[name];
  return typeof count === 'number' ? count : 0;
}

const families: Readonly<Record<Protocol['name'], string>> = {
  core: '',
  'compat-a': 'beta-',
  'compat-b': 'gamma-',
};

/** Whether a protocol may serve a model outside the catalogue, by its name (reading B-95). */
export function mayServe(protocol: Protocol, model: string): boolean {
  return model.startsWith(families[protocol.name]);
}

/** Whether a protocol serves such a model while its channels are healthy. A path may serve only the catalogue. */
export async function servesRoute(
  { http, newScene, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
): Promise<boolean> {
  if (protocol === coreProtocol) return true;
  const label = `${protocol.name}, ${model}, healthy`;
  const exchange = await protocol.send(http, model, protocol.body(newScene(), { model }), { label });
  const code = errorCodeOf(exchange);
  if (code === 'model_not_found') judge.note(`${protocol.name} does not serve ${model}`);
  else readSaid(judge, protocol, exchange, { requirement: 'ROUTE-002', aspect: 'twin-served', model });
  return code !== 'model_not_found';
}
