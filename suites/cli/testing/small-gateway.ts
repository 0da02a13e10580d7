import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A minimal gateway on one page, as written in an afternoon: two chat models, plain and streamed. */

/** Defects that can be planted. */
export const defects = [
  'temperature up to 2.1',
  'metadata refused without its name',
  'total_tokens is one short',
  'streams without usage',
  'a missing key is forbidden',
  'unknown paths are a page',
] as const;
export type Defect = (typeof defects)[number];
type Has = (defect: Defect) => boolean;

export const smallGatewayKey = 'sk-app-of-the-small-gateway';

/** Names that another such gateway may choose differently. */
interface Names {
  readonly prefix: string;
  readonly models: readonly string[];
  /** The value of `object` in its model list; `list` by default. */
  readonly list?: string;
}
const specified: Names = { prefix: '/api/v1', models: ['alpha-5-2', 'delta-3'] };

type Json = Record<string, unknown>;

class Refusal extends Error {
  readonly answer: readonly [status: number, code: string, param: string | null];
  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.answer = [status, code, param];
  }
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isShort = (text: unknown): boolean => isText(text) && [...text].length <= 64;
const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;
const isMessage = (value: unknown): boolean =>
  isObject(value) && ['system', 'user', 'assistant', 'tool'].includes(String(value.role));

const fields: Readonly<Record<string, (value: unknown, has: Has) => boolean>> = {
  model: isText,
  messages: (value) => Array.isArray(value) && value.length > 0 && value.every(isMessage),
  temperature: (value, has) => isWithin(value, 0, has('temperature up to 2.1') ? 2.1 : 2),
  top_p: (value) => isWithin(value, 0, 1),
  max_tokens: (value) => Number.isInteger(value) && isWithin(value, 1, 100_000),
  stream: (value) => typeof value === 'boolean',
  stop: (value) => isText(value) || (Array.isArray(value) && value.length <= 4 && value.every(isText)),
  seed: Number.isInteger,
  user: isText,
  metadata: (value) =>
    isObject(value) && Object.keys(value).length <= 16 && Object.entries(value).flat().every(isShort),
};

/** The server; it does not listen yet. */
export function createSmallGateway(planted: readonly Defect[], names: Names = specified): Server {
  const has: Has = (defect) => planted.includes(defect);
  return createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (bytes: Buffer) => parts.push(bytes));
    request.on('end', () => {
      try {
        answer(request, response, Buffer.concat(parts), has, names);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const [status, code, param] = error.answer;
        const type = status === 401 || status === 403 ? 'auth_error' : 'invalid_request_error';
        const { message } = error;
        send(response, status, { error: { type, code, message, channel: null, param } });
      }
    });
  });
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  has: Has,
  { prefix, models, list = 'list' }: Names,
): void {
  const { authorization } = request.headers;
  const [path = ''] = (request.url ?? '').split('?');
  const [, key] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  if (authorization === undefined && has('a missing key is forbidden'))
    throw new Refusal(403, 'invalid_api_key', 'A key is needed.');
  if (key !== smallGatewayKey) throw new Refusal(401, 'invalid_api_key', 'This key is not known.');
  if (path.startsWith('/api/admin/')) throw new Refusal(401, 'admin_token_required', 'A key of callers.');
  const route = `${request.method} ${path}`;
  if (route === `GET ${prefix}/models`)
    send(response, 200, { object: list, data: models.map((id) => ({ id, object: 'model' })) });
  else if (route === `POST ${prefix}/chat/completions`) complete(response, checked(body, has, models), has);
  else if (has('unknown paths are a page'))
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  else throw new Refusal(404, 'task_not_found', 'There is nothing here.');
}

function checked(body: Buffer, has: Has, models: readonly string[]): Json {
  const sent = parsed(body);
  if (!isObject(sent)) throw new Refusal(400, 'invalid_param', 'The body is no JSON object.');
  for (const name of Object.keys({ model: '', messages: '', ...sent })) {
    const param = name === 'metadata' && has('metadata refused without its name') ? null : name;
    if (!Object.hasOwn(fields, name) || fields[name]?.(sent[name], has) !== true)
      throw new Refusal(400, 'invalid_param', `The field ${name} is not as it must be.`, param);
  }
  if (!models.includes(String(sent.model)))
    throw new Refusal(404, 'model_not_found', 'No such model.', 'model');
  return sent;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

function complete(
  response: ServerResponse,
  { model, messages, stream, max_tokens: most = 1_000 }: Json,
  has: Has,
): void {
  const words = 'The sea is wide and calm today.'.split(/(?<= )/).slice(0, Number(most));
  const prompt = JSON.stringify(messages).split(/\W+/).length;
  const short = has('total_tokens is one short') && stream !== true ? 1 : 0;
  const total = prompt + words.length - short;
  const usage = { prompt_tokens: prompt, completion_tokens: words.length, total_tokens: total };
  const finish = words.length === Number(most) ? 'length' : 'stop';
  const common = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1_000), model };
  if (stream === true) {
    const chunk = (delta: Json, reason: string | null, more: Json = {}): string => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      return `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }, null));
    for (const content of words) response.write(chunk({ content }, null));
    response.write(chunk({}, finish, has('streams without usage') ? {} : { usage }));
    response.end('data: [DONE]\n\n');
  } else {
    const message = { role: 'assistant', content: words.join('') };
    const choices = [{ index: 0, message, finish_reason: finish }];
    send(response, 200, { ...common, object: 'chat.completion', choices, usage });
  }
}

function send(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
