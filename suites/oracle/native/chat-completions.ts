import { cacheOf, hintsIn, type Json, objectOf, objectsIn, readArguments, textOrNull } from './json.ts';
import type { NativeView, Part, ToolChoice, Turn } from './view.ts';

/** Reads a request of the chat-completions dialect, which callers use too. */
export function readChatCompletions(body: Json): NativeView {
  const messages = objectsIn(body.messages);
  return {
    dialect: 'chat-completions',
    model: textOrNull(body.model),
    stream: body.stream === true,
    system: messages.filter(isSystem).flatMap((message) => partsOf(message.content)),
    turns: messages.filter((message) => !isSystem(message)).map(turnOf),
    tools: objectsIn(body.tools).map((tool) => {
      const { name, description, parameters = null } = objectOf(tool.function);
      return {
        name: String(name),
        description: textOrNull(description),
        parameters,
        schema: 'json-schema',
        cache: cacheOf(tool),
      };
    }),
    fields: {
      temperature: body.temperature ?? null,
      top_p: body.top_p ?? null,
      max_tokens: body.max_tokens ?? body.max_completion_tokens ?? null,
      stop: typeof body.stop === 'string' ? [body.stop] : ((body.stop as unknown[] | null | undefined) ?? []),
      seed: body.seed ?? null,
      tool_choice: choiceOf(body.tool_choice),
      response_format: formatOf(body.response_format),
      user: body.user ?? null,
    },
    hints: hintsIn(body),
  };
}

function isSystem({ role }: Json): boolean {
  return role === 'system' || role === 'developer';
}

function turnOf(message: Json): Turn {
  const role = String(message.role);
  const parts = partsOf(message.content);
  if (role === 'tool') {
    const value = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const cache = parts.find((part) => part.cache !== null)?.cache ?? null;
    return {
      role,
      parts: [],
      calls: [],
      result: { callId: textOrNull(message.tool_call_id), name: null, value, cache },
    };
  }
  const calls = objectsIn(message.tool_calls).map((call) => {
    const { name, arguments: args } = objectOf(call.function);
    return {
      id: textOrNull(call.id),
      name: String(name),
      arguments: readArguments(args),
      cache: cacheOf(call),
    };
  });
  return { role, parts, calls, result: null };
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ kind: 'text', text: content, cache: null }];
  return objectsIn(content)
    .map(partOf)
    .filter((part) => part.kind !== 'text' || part.text !== '');
}

function partOf(block: Json): Part {
  const cache = cacheOf(block);
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: String(block.text), cache };
    case 'image_url':
      return { kind: 'media', block: 'image_url', ...addressOf(objectOf(block.image_url).url), cache };
    case 'file':
      return { kind: 'media', block: 'file', ...addressOf(objectOf(block.file).file_data), cache };
    case 'input_audio': {
      const { data, format } = objectOf(block.input_audio);
      const mime = `audio/${String(format)}`;
      return { kind: 'media', block: 'input_audio', mime, base64: textOrNull(data), url: null, cache };
    }
    default:
      return { kind: 'other', raw: block, cache };
  }
}

/** Splits a data URI; any other text is a URL. */
export function addressOf(value: unknown): {
  mime: string | null;
  base64: string | null;
  url: string | null;
} {
  const text = textOrNull(value);
  const [, mime = null, base64 = null] = /^data:([^,]*?);base64,(.*)$/is.exec(text ?? '') ?? [];
  return base64 === null ? { mime: null, base64: null, url: text } : { mime, base64, url: null };
}

function choiceOf(choice: unknown): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { name } = objectOf(objectOf(choice).function);
  return typeof name === 'string' ? { name } : null;
}

function formatOf(format: unknown): { type: string; schema: unknown } | null {
  const { type, json_schema: mode } = objectOf(format);
  if (typeof type !== 'string' || type === 'text') return null;
  return { type, schema: objectOf(mode).schema ?? null };
}
