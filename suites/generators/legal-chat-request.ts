import fc from 'fast-check';
import { chatModel } from '../oracle/chat-catalogue.ts';
import { imageBlock } from '../oracle/sample-images.ts';
import { oneTool, type ToolDefinition } from '../oracle/sample-tools.ts';
import { legalTools } from './legal-tools.ts';
import { naturalText } from './natural-text.ts';
import { hasToolRound, type Turn, transcript } from './transcript.ts';
import { unicodeText } from './unicode-text.ts';

/**
 * A request that is legal under every reading, without its last user message, which carries the prompt of the
 * case.
 */
export interface LegalRequest {
  readonly model: string;
  readonly history: readonly Turn[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The optional fields, with legal values that include the bounds. temperature and top_p exclude each other
 * (B-12).
 */
const plainOptions = {
  max_tokens: fc.integer({ min: 1, max: 64 }),
  stream: fc.boolean(),
  response_format: fc.constant({ type: 'json_object' }),
  stop: fc.oneof(stopText(), fc.array(stopText(), { minLength: 1, maxLength: 4 })),
  seed: fc.oneof(fc.constantFrom(0, 1, 2 ** 31 - 1), fc.nat()),
  user: fc.oneof(
    unicodeText,
    naturalText.map(({ userId }) => userId),
  ),
  metadata: metadata(),
};

const sampling = fc.oneof(
  fc.constant({}),
  fc
    .oneof(fc.constantFrom(0, 1e-9, 1, 2), fc.double({ min: 0, max: 2, noNaN: true }))
    .map((temperature) => ({ temperature })),
  fc
    .oneof(fc.constantFrom(0.01, 1), fc.double({ min: 0.01, max: 1, noNaN: true }))
    .map((top_p) => ({ top_p })),
);

/** Legal requests for the given models that cover every field and message form of the chat request. */
export function legalChatRequest(models: readonly string[]): fc.Arbitrary<LegalRequest> {
  return fc
    .record({
      model: fc.constantFrom(...models),
      history: transcript,
      options: fc.record(plainOptions, { requiredKeys: [] }),
      sampled: sampling,
      offered: fc.option(legalTools.chain(toolMembers), { nil: {}, freq: 2 }),
      image: fc.boolean(),
    })
    .map(({ model, history, options, sampled, offered, image }) => ({
      model,
      history: image && chatModel(model)?.vision === true ? withImage(history) : history,
      options: { ...options, ...sampled, ...withLookUp(offered, history) },
    }));
}

/** The body of such a request, with its last user message. */
export function bodyOfLegal(request: LegalRequest, prompt: string): Record<string, unknown> {
  const { model, history, options } = request;
  const wanted = options.response_format === undefined ? prompt : `${prompt} Answer as a JSON object.`;
  return { model, messages: [...history, { role: 'user', content: wanted }], ...options };
}

function toolMembers(tools: readonly ToolDefinition[]): fc.Arbitrary<Record<string, unknown>> {
  const named = fc
    .constantFrom(...tools)
    .map((tool) => ({ type: 'function', function: { name: tool.function.name } }));
  return fc.record(
    { tools: fc.constant(tools), tool_choice: fc.oneof(fc.constantFrom('none', 'auto', 'required'), named) },
    { requiredKeys: ['tools'] },
  );
}

/** Adds the tools that the conversation calls, because it must define them. */
function withLookUp(
  offered: Readonly<Record<string, unknown>>,
  history: readonly Turn[],
): Record<string, unknown> {
  if (!hasToolRound(history)) return { ...offered };
  const tools = (offered.tools ?? []) as readonly ToolDefinition[];
  return {
    ...offered,
    tools: tools.some((tool) => tool.function.name === 'look_up') ? tools : [...tools, oneTool],
  };
}

function withImage(history: readonly Turn[]): Turn[] {
  const content = [{ type: 'text', text: 'What is this?' }, imageBlock()];
  return [...history, { role: 'user', content }, { role: 'assistant', content: 'A picture of one dot.' }];
}

function stopText(): fc.Arbitrary<string> {
  return fc.oneof(fc.stringMatching(/^[A-Z]{3,12}$/), fc.constantFrom('\n\nEND', '###', ' over ', '終わり'));
}

function metadata(): fc.Arbitrary<Record<string, string>> {
  const text = fc.oneof(
    fc.string({ maxLength: 64 }),
    fc.constant('v'.repeat(64)),
    fc.constant('é'.repeat(64)),
  );
  const key = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_.-]{0,63}$/), fc.constant('k'.repeat(64)));
  const full = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`tag${index}`, 'v']));
  const natural = naturalText.map((texts) => ({ ...texts.metadata }));
  return fc.oneof(
    natural,
    fc.dictionary(key, text, { maxKeys: 16, noNullPrototype: true }),
    fc.constant(full),
  );
}
