import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { part, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { type Protocol, protocols } from '../../steps/protocols/protocol.ts';
import { formsOn } from '../../steps/protocols/protocol-model.ts';
import { mayServe, readSaid, servesRoute } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'LIM-018';

/** A model whose window the profile declares. Its upstream may have a larger one, so that the gateway has to count. */
interface OwnWindow {
  readonly protocol: Protocol;
  readonly model: string;
  readonly window: number;
  readonly streams: boolean;
}

/** One turn, as texts of its blocks. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly texts: readonly string[];
}

interface Conversation {
  readonly system?: string;
  readonly turns: readonly Turn[];
}

export const ownWindowHolds = defineCheck({
  id: 'faces.context.own-window',
  title:
    'the window of a model beside the catalogue holds to the last token on each protocol, in whatever turns',
  requirements: [requirement, 'LIM-016'],
  kind: 'metamorphic',
  needs: ['chat.extra_models', 'context.tokenizer_exact'],
  run: async (parts) => {
    const windows = await ownWindows(parts);
    if (windows.length === 0) throw new Untestable('chat.extra_models with context_tokens');
    for (const one of windows)
      for (const [label, conversation] of Object.entries(conversations(parts, one.window)))
        await part(() => judgeWindow(parts, one, label, conversation));
  },
});

async function ownWindows(parts: CheckParts): Promise<OwnWindow[]> {
  const { absent, chat } = parts.target.profile;
  const found: OwnWindow[] = [];
  for (const protocol of protocols.filter(({ fact }) => fact === null || !absent.includes(fact)))
    for (const { id: model, context_tokens: window, capabilities } of chat.extra_models)
      if (
        window !== undefined &&
        mayServe(protocol, model) &&
        (await servesRoute(parts, { protocol, model }))
      )
        found.push({ protocol, model, window, streams: capabilities.includes('stream') });
  return found;
}

/** Half a window, each time in other places. Around each short text a protocol may count some more. */
function conversations({ rng }: CheckParts, window: number): Record<string, Conversation> {
  const half = Math.floor(window / 2);
  const long = promptOfWords(rng, half);
  const turn = (role: Turn['role'], ...texts: string[]): Turn => ({ role, texts });
  const last = turn('user', 'And now?');
  const short = Array.from({ length: Math.floor(half / 8) }, (_, place) =>
    turn(place % 2 === 0 ? 'user' : 'assistant', 'Sea.'),
  );
  const blocks = Array.from({ length: Math.floor(half / 8) }, () => 'Sea. ');
  return {
    'an earlier answer': { turns: [turn('user', 'Go on.'), turn('assistant', long), last] },
    instructions: { system: long, turns: [last] },
    'very many short turns': { turns: [...short, last] },
    'very many short blocks': { turns: [turn('user', ...blocks), turn('assistant', 'Yes.'), last] },
  };
}

/** Measures the prompt first, and derives from it the room that is left. */
async function judgeWindow(
  parts: CheckParts,
  { protocol, model, window, streams }: OwnWindow,
  label: string,
  conversation: Conversation,
): Promise<void> {
  const { http, cases, judge } = parts;
  cases.count();
  const ask = (maxTokens: number, stream: boolean): Promise<Exchange> => {
    const body = bodyOf(protocol, model, conversation, maxTokens);
    const title = `${protocol.name}, ${model}, ${label}: at most ${maxTokens} tokens more`;
    return protocol.send(http, model, body, { label: title, stream });
  };
  const served = { requirement, aspect: 'window-usable', model };
  const { prompt } = readSaid(judge, protocol, await ask(8, false), served).usage;
  const room = window - prompt;
  const fits = await ask(room, false);
  readSaid(judge, protocol, fits, served);
  for (const stream of streams ? await formsOn(parts, { protocol, model }) : [false]) {
    const over = await ask(room + 1, stream);
    judge.refused(over, { requirement, aspect: 'window-full', codes: ['context_too_long'], twin: fits });
  }
}

/** The conversation in the format of a protocol. A turn with one text becomes a plain string where the protocol allows it. */
function bodyOf(
  { name }: Protocol,
  model: string,
  { system, turns }: Conversation,
  maxTokens: number,
): JsonObject {
  if (name === 'compat-b')
    return {
      contents: turns.map(({ role, texts }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: texts.map((text) => ({ text })),
      })),
      generationConfig: { maxOutputTokens: maxTokens },
      ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    };
  const messages = turns.map(({ role, texts: [only = '', ...more] }) => ({
    role,
    content: more.length === 0 ? only : [only, ...more].map((text) => ({ type: 'text', text })),
  }));
  const instructed = system === undefined ? [] : [{ role: 'system', content: system }];
  return name === 'core'
    ? { model, max_tokens: maxTokens, messages: [...instructed, ...messages] }
    : { model, max_tokens: maxTokens, messages, ...(system === undefined ? {} : { system }) };
}
