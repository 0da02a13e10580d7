import type { Stack } from './stack.ts';

/** A use that fails with a client on a model without being a gateway fault, and why. */
export interface Exception {
  readonly client: string;
  readonly models: readonly string[];
  readonly use: string;
  /** The expected failure. */
  readonly by: RegExp;
  readonly why: string;
}

const withoutSchemas = ['beta-large-4-5', 'delta-3'];
const noSchemas =
  'asks for a JSON schema, which this model does not support: `unsupported_capability`. Use `json_object` or a tool.';

export const exceptions: readonly Exception[] = [
  ...['@ai-sdk/openai', '@langchain/openai'].map((client) => ({
    client,
    models: withoutSchemas,
    use: 'structured output',
    by: /does not take JSON schemas/,
    why: noSchemas,
  })),
  {
    client: '@langchain/google-genai',
    models: ['gamma-3-pro'],
    use: 'image',
    by: /does not support images/,
    why: 'sends no image to a model name that it does not know; nothing reaches the gateway.',
  },
  {
    client: '@langchain/google-genai',
    models: ['gamma-3-pro'],
    use: 'abort',
    by: /goes on after the abort/,
    why: 'does not pass its caller’s signal to the call.',
  },
];

/** Requests that clients of the native services can send, but that are missing in the specification. */
interface Beyond {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly why: string;
}

const chat = (name: string, more: object, why: string): Beyond => ({
  name,
  method: 'POST',
  path: '/api/v1/chat/completions',
  body: { model: 'delta-3', messages: [{ role: 'user', content: 'Hello.' }], ...more },
  why,
});

const beyond: readonly Beyond[] = [
  chat(
    '`max_completion_tokens`',
    { max_completion_tokens: 50 },
    'the field is `max_tokens`; unknown fields are refused by name',
  ),
  chat('`reasoning_effort`', { reasoning_effort: 'low' }, 'no field of chat requests'),
  chat(
    'role `developer`',
    { messages: [{ role: 'developer', content: 'Be short.' }] },
    'the roles are system, user, assistant and tool',
  ),
  {
    name: '`count_tokens` on compat A',
    method: 'POST',
    path: '/compat-a/v1/messages/count_tokens',
    body: { model: 'beta-large-4-5', messages: [{ role: 'user', content: 'Hello.' }] },
    why: 'compat A has the one path of messages',
  },
  {
    name: '`/responses`',
    method: 'POST',
    path: '/api/v1/responses',
    body: { model: 'delta-3', input: 'Hello.' },
    why: 'no route: set a client to chat completions (`openai.chat(model)` in the AI SDK)',
  },
  {
    name: '`/models/{id}`',
    method: 'GET',
    path: '/api/v1/models/delta-3',
    why: 'no route: the list of models has all ids',
  },
];

/** The gateway's answer to each of these requests, as table rows. */
export async function answersBeyond({ url, key }: Stack): Promise<string[]> {
  return Promise.all(
    beyond.map(async ({ name, method, path, body, why }) => {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { error } = (await answer.json()) as { error?: { code?: string; type?: string } };
      return `| ${name} | ${answer.status} ${error?.code ?? error?.type ?? ''} | ${why} |`;
    }),
  );
}
