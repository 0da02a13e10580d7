import { isObject } from '../../json/json-body.ts';
import type { WalkOptions } from './request-walk.ts';

/** The sample values of a walk, and the members that a request needs besides the tested field. */
export interface RequestManner extends WalkOptions {
  /** Adds members that the field depends on: tools for a choice, a call for its result. */
  complete(body: Body): Body;
}

export type Body = Readonly<Record<string, unknown>>;

const link = 'https://a.example/a.png';
const schema = { type: 'object' };
const functionTool = { type: 'function', function: { name: 'x' } };

export const completionsManner: RequestManner = {
  opaque: [],
  bases: {},
  samples: {
    model: 'd3-2026-07-11',
    url: link,
    arguments: '{}',
    data: 'AAAA',
    file_data: 'data:a/b;base64,AAAA',
  },
  complete: (body) => {
    const messages = listOf(body.messages).flatMap((message) => aroundMessage(message));
    const streamed = body.stream_options == null ? {} : { stream: true };
    const counted = body.top_logprobs == null ? {} : { logprobs: true };
    return { ...body, ...toolsOf(body), ...streamed, ...counted, messages };
  },
};

/** For responses and embeddings, whose readers accept members that they do not evaluate. */
export const openManner: RequestManner = {
  opaque: [],
  bases: {},
  samples: { model: 'd3-2026-07-11', input: 'x' },
  complete: (body) => ({ model: 'd3-2026-07-11', ...body }),
};

function toolsOf({ tools, tool_choice: choice }: Body): Body {
  if (choice === undefined || tools !== undefined) return {};
  const custom = { type: 'custom', custom: { name: 'x' } };
  return { tools: isObject(choice) && 'custom' in choice ? [custom] : [functionTool] };
}

/** A result comes after its call, a call before its result. */
function aroundMessage(message: Body): Body[] {
  const { role, tool_calls: calls, tool_call_id: id } = message;
  const call = { id, type: 'function', function: { name: 'x', arguments: '{}' } };
  if (role === 'tool') return [{ role: 'assistant', content: null, tool_calls: [call] }, message];
  const results = listOf(calls).map((one) => ({ role: 'tool', tool_call_id: one.id, content: 'x' }));
  const said =
    role === 'assistant' && message.function_call == null && message.audio == null && calls === undefined;
  return [said && message.content === undefined ? { ...message, content: 'x' } : message, ...results];
}

/** Betas that members of a request need, all declared at once. */
const betas = [
  'context-management-2025-06-27',
  'compact-2026-09-04',
  'fallback-credit-2026-07-01',
  'server-side-fallback-2026-07-01',
  'mcp-client-2025-11-20',
  'structured-outputs-2025-11-13',
  'user-profiles-billing-2026-10-01',
  'message-threads-2026-08-12',
];

export const messagesManner: RequestManner = {
  opaque: [],
  bases: {},
  samples: {
    model: 'bl-4-5-20260801',
    role: 'user',
    url: link,
    data: 'AAAA',
    signature: 'c2ln',
    max_tokens: 100,
    input_schema: schema,
  },
  complete: (body) => {
    const { tool_choice: choice, tools } = body;
    const chosen =
      choice === undefined || tools !== undefined ? {} : { tools: [{ name: 'x', input_schema: schema }] };
    return { ...body, ...chosen, messages: listOf(body.messages).flatMap((turn) => aroundTurn(turn)) };
  },
};

/** The same for clients that can declare betas. */
export const betaMessagesManner: RequestManner = {
  ...messagesManner,
  complete: (body) => ({ ...messagesManner.complete(body), betas }),
};

const user = { role: 'user', content: 'x' };

function aroundTurn(turn: Body): Body[] {
  const types = listOf(turn.content).map(({ type }) => String(type));
  if (types.includes('tool_result')) {
    const calls = listOf(turn.content).map(({ tool_use_id: id }) => ({
      type: 'tool_use',
      id,
      name: 'x',
      input: {},
    }));
    return [user, { role: 'assistant', content: calls }, { ...turn, role: 'user' }];
  }
  if (types.includes('tool_use')) {
    const results = listOf(turn.content).map(({ id }) => ({ type: 'tool_result', tool_use_id: id }));
    return [user, { ...turn, role: 'assistant' }, { role: 'user', content: results }];
  }
  const isOfAssistant = types.some((type) => ofAssistants.test(type));
  if (isOfAssistant) return [user, { ...turn, role: 'assistant' }, user];
  // A system turn needs content or a configuration.
  if (turn.role === 'system' && turn.content === undefined && isBare(turn.output_config)) {
    return [user, { ...turn, content: 'x' }];
  }
  // One content type serves both roles, and the walk tries it with the first role only.
  if (turn.role === 'assistant' && types.some((type) => type !== 'text')) return [{ ...turn, role: 'user' }];
  return turn.role === 'user' ? [turn] : [user, turn];
}

function isBare(configuration: unknown): boolean {
  return configuration == null || Object.keys(configuration).length === 0;
}

const ofAssistants = /thinking|server_tool_use|mcp_tool_use|_tool_result$|compaction|fallback/;

export const generateManner: RequestManner = {
  // The client evaluates these types itself and does not send them.
  opaque: ['AbortSignal', 'HttpOptions', 'CallableTool', 'AutomaticFunctionCallingConfig'],
  bases: {
    Content: { role: 'user', parts: [{ text: 'x' }] },
    FunctionDeclaration: { name: 'x' },
    FunctionCall: { name: 'x' },
    FunctionResponse: { name: 'x', response: {} },
    Blob_2: { mimeType: 'image/png', data: 'AAAA' },
    FileData: { fileUri: link },
    SafetySetting: { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
  },
  samples: {
    model: 'g3f-2026-09',
    role: 'user',
    mimeType: 'image/png',
    data: 'AAAA',
    thoughtSignature: 'AAAA',
    fileUri: link,
    maxOutputTokens: 100,
    responseMimeType: 'application/json',
    responseSchema: schema,
    responseJsonSchema: schema,
    parametersJsonSchema: schema,
    ...Object.fromEntries(
      ['Items', 'Length', 'Properties']
        .flatMap((what) => [`min${what}`, `max${what}`])
        .map((name) => [name, '1']),
    ),
  },
  complete: (body) => {
    const config = isObject(body.config) ? { config: withFormat(body.config as Body) } : {};
    return { ...body, ...config, contents: withParts(body.contents) };
  },
};

function withFormat(config: Body): Body {
  const calling = (config.toolConfig as { functionCallingConfig?: Body } | undefined)?.functionCallingConfig;
  const isChosen = calling?.mode === 'ANY' || calling?.allowedFunctionNames !== undefined;
  const tools = isChosen ? { tools: [{ functionDeclarations: [{ name: 'x' }] }] } : {};
  const named = calling?.allowedFunctionNames === undefined ? {} : { mode: 'ANY' };
  const toolConfig = isChosen ? { toolConfig: { functionCallingConfig: { ...calling, ...named } } } : {};
  const hasSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined;
  const instruction = config.systemInstruction;
  // A single part or a list of parts. Each needs text.
  const texts = [instruction]
    .flat()
    .map((one) => (isObject(one) && !('parts' in one) ? { text: 'x', ...one } : one));
  const said = isObject(instruction) ? texts[0] : texts;
  const systemInstruction = typeof instruction === 'object' ? { systemInstruction: said } : {};
  return {
    ...config,
    ...tools,
    ...toolConfig,
    ...systemInstruction,
    ...(hasSchema ? { responseMimeType: 'application/json' } : {}),
  };
}

const partKinds =
  /^(text|inlineData|fileData|functionCall|functionResponse|toolCall|toolResponse|executableCode|codeExecutionResult|audioTranscription)$/;

/** Adds what a part needs: content, the response in the turn after a call, or the call in the turn before a response. */
function withParts(contents: unknown): unknown {
  const given = Array.isArray(contents) ? contents : [contents];
  if (given.some((one) => typeof one === 'string')) return contents;
  return (given as readonly Body[]).flatMap((one): object[] => {
    const content = 'role' in one || 'parts' in one ? one : { role: 'user', parts: [one] };
    const parts = listOf(content.parts).map((part) =>
      Object.keys(part).some((name) => partKinds.test(name)) ? part : { text: 'x', ...part },
    );
    const call = { name: 'x' };
    const asked = { role: 'user', parts: [{ text: 'x' }] };
    if (parts.some((part) => 'functionCall' in part)) {
      const signed = parts.map((part) => ({ thoughtSignature: 'AAAA', ...part }));
      const response = { functionResponse: { name: 'x', response: {} } };
      return [asked, { role: 'model', parts: signed }, { role: 'user', parts: [response] }];
    }
    if (parts.some((part) => 'functionResponse' in part)) {
      const called = { functionCall: call, thoughtSignature: 'AAAA' };
      return [asked, { role: 'model', parts: [called] }, { ...content, parts }];
    }
    return [{ ...content, parts }];
  });
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => isObject(one)) : [];
}
