import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { type ChatModel, chatModel } from '../../oracle/chat-catalogue.ts';
import { callOf, oneTool, toolNamed } from '../../oracle/sample-tools.ts';
import { Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/long-prompt.ts';

/** A part of a request outside the last user turn's text, filled with this many words. */
interface Part {
  readonly name: string;
  readonly body: (words: (count: number) => string, count: number) => JsonObject;
}

const last = { role: 'user', content: 'And now?' };
const toolUser = { tools: [oneTool] };

/** Every place for a long text: each role, tool descriptions, tool calls and tool results. */
const countedParts: readonly Part[] = [
  {
    name: 'the instructions',
    body: (words, count) => ({ messages: [{ role: 'system', content: words(count) }, last] }),
  },
  {
    name: 'an earlier turn of the user',
    body: (words, count) => ({
      messages: [{ role: 'user', content: words(count) }, { role: 'assistant', content: 'Yes.' }, last],
    }),
  },
  {
    name: 'an earlier answer',
    body: (words, count) => ({
      messages: [{ role: 'user', content: 'Go on.' }, { role: 'assistant', content: words(count) }, last],
    }),
  },
  {
    name: 'the arguments of a call',
    body: (words, count) => ({
      ...toolUser,
      messages: roundOf(JSON.stringify({ word: words(count) }), 'Found.'),
    }),
  },
  {
    name: 'the result of a tool',
    body: (words, count) => ({ ...toolUser, messages: roundOf('{"word":"sea"}', words(count)) }),
  },
  {
    name: 'the description of a tool',
    body: (words, count) => ({ messages: [last], tools: [toolNamed('look_up', words(count))] }),
  },
  {
    name: 'the parameters of many tools',
    body: (words, count) => ({
      messages: [last],
      tools: Array.from({ length: 10 }, (_, index) => describedTool(`tool_${index}`, words(count / 10))),
    }),
  },
];

/** Each part is refused beyond the window, and accepted below half of it. */
export const everythingCounts = defineCheck({
  id: 'lim.context.everything',
  title: 'every message role, tool call, tool result and tool definition counts against the window',
  requirements: ['LIM-018'],
  kind: 'example',
  needs: [],
  run: async ({ cases, http, judge, target, rng, newScene }) => {
    const model = smallestWithTools(target);
    const words = (count: number): string => promptOfWords(rng, Math.round(count));
    for (const { name, body } of countedParts) {
      cases.count();
      const rule = { requirement: 'LIM-018', model: model.id };
      // Quoted words may need more tokens, so the part that fits is well below the window.
      const small = body(words, model.contextK * 300);
      const fits = await http.chat(marked(newScene, model.id, small), {
        label: `three tenths of the window in ${name}`,
      });
      judge.completed(fits, { ...rule, aspect: 'below-accepted' });
      // No token spans several words, so words are a lower bound of tokens under every tokenizer.
      const large = body(words, model.contextK * 1_250);
      const over = await http.chat(marked(newScene, model.id, large), {
        label: `beyond the window in ${name}`,
      });
      judge.refused(over, { ...rule, aspect: 'counts-too', codes: ['context_too_long'], twin: fits });
    }
  },
});

/** A request of its own scene that asks for a short answer. */
function marked(newScene: () => Scene, model: string, body: JsonObject): JsonObject {
  const { messages, ...more } = body;
  const [turn] = newScene().minimal(model, last.content).messages;
  const before = (messages as readonly JsonObject[]).slice(0, -1);
  return { model, messages: [...before, turn], max_tokens: 16, ...more };
}

/** A tool call with its result, to stand before the last turn. */
function roundOf(args: string, result: string): JsonObject[] {
  return [
    { role: 'user', content: 'Look it up.' },
    { role: 'assistant', content: null, tool_calls: [callOf('call_1', 'look_up', args)] },
    { role: 'tool', tool_call_id: 'call_1', content: result },
    last,
  ];
}

function describedTool(name: string, description: string): JsonObject {
  const parameters = { type: 'object', properties: { word: { type: 'string', description } } };
  return { type: 'function', function: { name, description: 'Looks a word up.', parameters } };
}

/** The model with the smallest window, where a long prompt costs least. Every model has tools. */
function smallestWithTools(target: Target): ChatModel {
  const models = target.models.flatMap((id) => chatModel(id) ?? []);
  const [first] = models.sort((one, other) => one.contextK - other.contextK);
  if (first === undefined) throw new Untestable('a chat model of the catalogue');
  return first;
}
