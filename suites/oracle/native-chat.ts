/**
 * A chat request as it reached an upstream of the chat-completions dialect, in a form in which two spellings of the same
 * request are equal: a string is one text block, an absent list is an empty one, one stop text is a list of one.
 */
export interface ReadTurn {
  readonly role: string;
  readonly parts: readonly ReadPart[];
  readonly calls: readonly { id: unknown; name: unknown; arguments: unknown }[];
  readonly answers: unknown;
}

type ReadPart = { readonly text: string } | { readonly image: unknown } | { readonly other: unknown };

type Json = Readonly<Record<string, unknown>>;

/** The sampling fields and the rest that must arrive as given (CHAT-050). */
export const forwardedFields = [
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'seed',
  'tools',
  'tool_choice',
  'response_format',
] as const;
export type ForwardedField = (typeof forwardedFields)[number];

/** Neighbouring texts are one: how a text is cut into blocks carries no meaning. */
export function readTurns(request: Json): ReadTurn[] {
  return listOf(asSent(request).messages).map((message) => ({
    role: message.role === 'developer' ? 'system' : String(message.role),
    parts: partsOf(message.content),
    calls: listOf(message.tool_calls).map((call) => {
      const called = (call.function ?? {}) as Json;
      return { id: call.id, name: called.name, arguments: called.arguments };
    }),
    answers: message.tool_call_id ?? null,
  }));
}

export function textOf(turn: ReadTurn): string {
  return turn.parts.map((part) => ('text' in part ? part.text : '')).join('');
}

export function imagesOf(turn: ReadTurn): unknown[] {
  return turn.parts.flatMap((part) => ('image' in part ? [part.image] : []));
}

/** The value of a field, or null where it is absent or says no more than absence does. */
export function readField(request: Json, name: ForwardedField): unknown {
  const body = asSent(request);
  switch (name) {
    case 'temperature':
    case 'top_p':
      return body[name] ?? 1;
    case 'seed':
      return body.seed ?? null;
    case 'max_tokens':
      return body.max_tokens ?? body.max_completion_tokens ?? null;
    case 'stop':
      return typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []);
    case 'tools':
      return listOf(body.tools).map((tool) => {
        const described = (tool.function ?? {}) as Json;
        return { name: described.name, description: described.description, parameters: described.parameters };
      });
    case 'tool_choice':
      return body.tool_choice ?? 'auto';
    case 'response_format':
      return body.response_format ?? { type: 'text' };
  }
}

/** What JSON carries of a value: no prototypes, no negative zero, no members without a value. */
function asSent(body: Json): Json {
  return JSON.parse(JSON.stringify(body)) as Json;
}

function partsOf(content: unknown): ReadPart[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  const joined: ReadPart[] = [];
  for (const block of listOf(content)) {
    const last = joined.at(-1);
    if (block.type === 'text' && last !== undefined && 'text' in last) {
      joined[joined.length - 1] = { text: last.text + String(block.text) };
    } else {
      joined.push(readBlock(block));
    }
  }
  return joined;
}

function readBlock(block: Json): ReadPart {
  if (block.type === 'text') return { text: String(block.text) };
  if (block.type === 'image_url') return { image: (block.image_url as Json | undefined)?.url };
  return { other: block };
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
