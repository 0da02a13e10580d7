// Parse a request of each dialect back into one common form. They follow the protocols and share no code with the writers.

// biome-ignore-start lint/suspicious/noExplicitAny: readers look at arbitrary members of a JSON body.
type Json = any;

/** A conversation in normalized form: each item with its role, in order. Adjacent texts of one role are merged. */
export type Item =
  | { readonly role: string; readonly text: string }
  | { readonly role: string; readonly medium: string }
  | { readonly call: number; readonly name: string; readonly args: unknown }
  | { readonly result: number | undefined; readonly text: string };

export interface ReadBack {
  readonly system: string;
  readonly items: readonly Item[];
  readonly tools: readonly { name: string; description: string; schema: unknown }[];
  readonly choice: unknown;
  /** Positions of cache marks: the text, medium or tool that carries each. */
  readonly hints: readonly string[];
}

/** Collects the items of a conversation, numbering the calls by their ids. */
class Items {
  readonly list: Item[] = [];
  readonly #calls = new Map<string, number>();
  #count = 0;

  say(role: string, text: string): void {
    const last = this.list.at(-1);
    if (last !== undefined && 'text' in last && 'role' in last && last.role === role)
      this.list[this.list.length - 1] = { role, text: last.text + text };
    else if (text !== '') this.list.push({ role, text });
  }
  show(role: string, medium: string): void {
    this.list.push({ role, medium });
  }
  call(id: string, name: string, args: unknown): void {
    this.#calls.set(id, this.#count);
    this.list.push({ call: this.#count, name, args });
    this.#count += 1;
  }
  answer(id: string, text: string): void {
    this.list.push({ result: this.#calls.get(id), text });
  }
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : []);

export function readCaller(body: Json): ReadBack {
  const items = new Items();
  const hints: string[] = listOf(body.tools).flatMap((tool) =>
    tool.cache_control ? tool.function.name : [],
  );
  const [first] = body.messages;
  for (const [i, message] of body.messages.entries()) {
    if (message.role === 'tool') continue;
    const { role, content } = message;
    const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
    for (const block of role === 'system' ? [] : blocks) {
      if (block.type === 'text') items.say(role, block.text);
      else items.show(role, block.image_url.url);
      if (block.cache_control) hints.push(block.text ?? block.image_url.url);
    }
    const calls = listOf(message.tool_calls);
    for (const { id, function: called } of calls) items.call(id, called.name, argsOf(called.arguments));
    const after: Json[] = body.messages.slice(i + 1);
    const end = after.findIndex((other) => other.role !== 'tool');
    const results = after.slice(0, end === -1 ? after.length : end);
    for (const { id } of calls) {
      const texts = results.filter((result) => result.tool_call_id === id).map((result) => result.content);
      items.answer(id, texts.join('\n'));
    }
  }
  return {
    system: first.role === 'system' ? first.content : '',
    items: items.list,
    tools: listOf(body.tools).map(({ function: { name, description, parameters } }) => ({
      name,
      description: description ?? '',
      schema: parameters ?? null,
    })),
    choice: listOf(body.tools).length === 0 ? null : (body.tool_choice ?? null),
    hints,
  };
}

function argsOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { arguments: text };
  } catch {
    return { arguments: text };
  }
}

/** `textTool` is added by the gateway and is not a tool of the caller. */
export function readMessages(body: Json, textTool: string | undefined): ReadBack {
  const items = new Items();
  const hints: string[] = listOf(body.tools).flatMap((tool) => (tool.cache_control ? tool.name : []));
  for (const { role, content } of body.messages) {
    for (const block of content) {
      if (block.type === 'text') items.say(role, block.text);
      else if (block.type === 'tool_use') items.call(block.id, block.name, block.input);
      else if (block.type === 'tool_result') {
        const { content: texts } = block;
        const joined = Array.isArray(texts) ? texts.map((one) => one.text).join('\n') : texts;
        items.answer(block.tool_use_id, joined);
      } else items.show(role, mediumOf(block.source.media_type, block.source.data, block.source.url));
      if (block.cache_control)
        hints.push(block.text ?? mediumOf(block.source.media_type, block.source.data, block.source.url));
    }
  }
  const own = listOf(body.tools).filter((tool) => tool.name !== textTool);
  return {
    system: body.system ?? '',
    items: items.list,
    tools: own.map(({ name, description = '', input_schema: schema }) => ({ name, description, schema })),
    choice: messagesChoice(body.tool_choice, textTool),
    hints,
  };
}

function messagesChoice(choice: Json, textTool: string | undefined): unknown {
  switch (choice?.type) {
    case undefined:
      return null;
    case 'any':
      return textTool === undefined ? 'required' : 'auto';
    case 'tool':
      return choice.name === textTool ? 'none' : { type: 'function', function: { name: choice.name } };
    default:
      return choice.type;
  }
}

function mediumOf(mime: unknown, data: unknown, url: unknown): string {
  return data === undefined ? String(url) : `data:${mime};base64,${data}`;
}

export function readGenerateContent(body: Json, givenNames: ReadonlyMap<string, string>): ReadBack {
  const items = new Items();
  const given = (name: string): string => givenNames.get(name) ?? name;
  for (const { role: native, parts } of body.contents) {
    const role = native === 'model' ? 'assistant' : native;
    for (const { text, inlineData, fileData, functionCall, functionResponse } of parts) {
      if (text !== undefined) items.say(role, text);
      else if (functionCall) items.call(functionCall.id, given(functionCall.name), functionCall.args);
      else if (functionResponse) items.answer(functionResponse.id, functionResponse.response.output);
      else items.show(role, mediumOf(inlineData?.mimeType, inlineData?.data, fileData?.fileUri));
    }
  }
  const declared = listOf(body.tools).flatMap((tool) => tool.functionDeclarations);
  const { mode, allowedFunctionNames: [allowed] = [] } = body.toolConfig?.functionCallingConfig ?? {};
  const modes: Record<string, unknown> = { AUTO: 'auto', NONE: 'none', ANY: 'required' };
  return {
    system: listOf(body.systemInstruction?.parts)
      .map((part) => part.text)
      .join(''),
    items: items.list,
    tools: declared.map(({ name, description = '', parametersJsonSchema = null }) => ({
      name: given(name),
      description,
      schema: parametersJsonSchema,
    })),
    choice: allowed ? { type: 'function', function: { name: given(allowed) } } : (modes[mode] ?? null),
    hints: [],
  };
}
// biome-ignore-end lint/suspicious/noExplicitAny: end of the readers.
