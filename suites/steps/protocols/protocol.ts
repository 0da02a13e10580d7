import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { JsonObject, RequestBody } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { callOf, type ToolDefinition } from '../../oracle/sample-tools.ts';
import type { Dialect } from '../../profile/dialects.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** The caller: the first tenant of a check, or another one. */
export type Caller = HttpCalls;

/** A request in terms that every protocol can express. */
export interface Asked {
  readonly model: string;
  readonly text?: string;
  readonly tools?: readonly ToolDefinition[];
  /** The results of calls that the model made before, all of its first tool; without ids where the protocol needs none. */
  readonly results?: readonly string[];
  readonly maxTokens?: number;
  /** An image after the text. */
  readonly image?: { readonly mime: string; readonly base64: string };
}

export interface ProtocolOptions {
  readonly label: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: boolean;
  /** The tenant's main key by default. */
  readonly key?: string;
}

/** One way to call chat models: the core path or one of the compat paths (specification, "Endpoints"). */
export interface Protocol {
  readonly name: 'core' | 'compat-a' | 'compat-b';
  /** The dialect of its callers. */
  readonly dialect: Dialect;
  /** The fact that a deployment lists as absent when it lacks this protocol. */
  readonly fact: 'chat' | 'compat.a' | 'compat.b';
  /** Whether a model of the catalogue can be called here (reading B-95). */
  serves(model: string): boolean;
  body(scene: Scene, asked: Asked): JsonObject;
  /** Sends at once, however many calls are in flight. */
  open(caller: Caller, model: string, body: RequestBody, options: ProtocolOptions): LiveExchange;
  /** Sends within the limit: at most cap minus one calls of one user are in flight. */
  send(caller: Caller, model: string, body: JsonObject, options: ProtocolOptions): Promise<Exchange>;
}

const maxPromptTokens = 256;

const core: Protocol = {
  name: 'core',
  dialect: 'chat-completions',
  fact: 'chat',
  serves: (model) => isOn(model, 'chat'),
  body: (scene, { model, text, tools, results = [], maxTokens = maxPromptTokens, image }) => {
    const said = scene.prompt(text);
    const calls = results.map((_, n) => callOf(`call_${n}`, tools?.[0]?.function.name, `{"n":${n}}`));
    const before = [
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...results.map((content, n) => ({ role: 'tool', tool_call_id: `call_${n}`, content })),
    ];
    const picture = image && { url: `data:${image.mime};base64,${image.base64}` };
    const blocks = [
      { type: 'text', text: said },
      { type: 'image_url', image_url: picture },
    ];
    return {
      model,
      messages: [
        ...(calls.length > 0 ? before : []),
        { role: 'user', content: picture === undefined ? said : blocks },
      ],
      max_tokens: maxTokens,
      ...(tools === undefined ? {} : { tools }),
    };
  },
  open: (caller, _model, body, { stream, ...options }) => caller.openChat(streaming(body, stream), options),
  send: (caller, _model, body, { stream, ...options }) => caller.chat(streaming(body, stream), options),
};

export const compatA: Protocol = {
  name: 'compat-a',
  dialect: 'messages',
  fact: 'compat.a',
  serves: (model) => chatModel(model)?.family === 'beta' && isOn(model, 'compat.a'),
  body: (scene, { model, text, tools, results = [], maxTokens = maxPromptTokens, image }) => {
    const said = scene.prompt(text);
    const name = tools?.[0]?.function.name;
    const answers = results.map((content, n) => ({
      type: 'tool_result',
      tool_use_id: `toolu_${n}`,
      content,
    }));
    const calls = answers.map(({ tool_use_id: id }, n) => ({ type: 'tool_use', id, name, input: { n } }));
    const before = [
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: calls },
    ];
    const source = image && { type: 'base64', media_type: image.mime, data: image.base64 };
    const blocks = [
      { type: 'text', text: said },
      ...(source === undefined ? [] : [{ type: 'image', source }]),
    ];
    const native = tools?.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: parameters,
    }));
    return {
      model,
      max_tokens: maxTokens,
      messages: [
        ...(calls.length > 0 ? before : []),
        { role: 'user', content: calls.length > 0 || source !== undefined ? [...answers, ...blocks] : said },
      ],
      ...(native === undefined ? {} : { tools: native }),
    };
  },
  open: (caller, _model, body, { stream, ...options }) =>
    caller.openCompatA(streaming(body, stream), options),
  send: (caller, _model, body, { stream, ...options }) => caller.compatA(streaming(body, stream), options),
};

export const compatB: Protocol = {
  name: 'compat-b',
  dialect: 'generate-content',
  fact: 'compat.b',
  serves: (model) => chatModel(model)?.family === 'gamma' && isOn(model, 'compat.b'),
  body: (scene, { text, tools, results = [], maxTokens = maxPromptTokens, image }) => {
    const picture = image && { inlineData: { mimeType: image.mime, data: image.base64 } };
    const name = tools?.[0]?.function.name;
    const answers = results.map((result) => ({ functionResponse: { name, response: { result } } }));
    const before = [
      { role: 'user', parts: [{ text: 'Begin.' }] },
      { role: 'model', parts: results.map((_, n) => ({ functionCall: { name, args: { n } } })) },
    ];
    const parts = [...answers, { text: scene.prompt(text) }, ...(picture === undefined ? [] : [picture])];
    const functionDeclarations = tools?.map((tool) => tool.function);
    return {
      contents: [...(results.length > 0 ? before : []), { role: 'user', parts }],
      generationConfig: { maxOutputTokens: maxTokens },
      ...(functionDeclarations === undefined ? {} : { tools: [{ functionDeclarations }] }),
    };
  },
  open: (caller, model, body, options) => caller.openCompatB(model, body, options),
  send: (caller, model, body, options) => caller.compatB(model, body, options),
};

export const protocols: readonly Protocol[] = [core, compatA, compatB];
export const compatProtocols: readonly Protocol[] = [compatA, compatB];
export const coreProtocol: Protocol = core;

/** Whether a profile does not say that a protocol of the deployment lacks a model. */
function isOn(model: string, fact: Protocol['fact']): boolean {
  return chatModel(model)?.absentOn?.includes(fact) !== true;
}

/** A text is sent unchanged. */
function streaming(body: RequestBody, stream = false): RequestBody {
  return stream && typeof body === 'object' && !Buffer.isBuffer(body) ? { ...body, stream } : body;
}
