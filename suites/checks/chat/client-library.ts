import type OpenAI from 'openai';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { needServed } from '../../oracle/need-served.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, throwing, Untestable, Violation } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { type Exchange, errorCodeOf, isSuccess, mediaType } from '../../wire/exchange.ts';

/** The check replaces only the library's network layer, so that the report contains the exchanges. */
export const commonClientWorks: Check = defineCheck({
  id: 'chat.client.library',
  title: 'an unmodified client library completes plain, JSON, tool and streamed calls',
  requirements: ['CHAT-051'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      for (const [what, use] of uses(parts, model)) await judge(parts, what, use);
  },
});

type Library = typeof import('openai');

type Use = (client: OpenAI, library: Library) => Promise<boolean>;

/** Typical uses of the library. Each returns whether it succeeded. */
function uses({ newScene, rng }: CheckParts, model: string): readonly [what: string, use: Use][] {
  const ask = (prompt?: string): OpenAI.ChatCompletionMessageParam[] => [
    { role: 'user', content: newScene().prompt(prompt) },
  ];
  const tools = threeTools.map((tool) => ({ type: tool.type, function: { ...tool.function } }));
  return [
    [
      'plain',
      async (client) => {
        const answer = await client.chat.completions.create({ model, messages: ask() });
        return typeof answer.choices[0]?.message.content === 'string';
      },
    ],
    [
      'JSON',
      async (client) => {
        const messages = ask('Describe the sea as a JSON object.');
        const request = { model, messages, response_format: { type: 'json_object' } } as const;
        const [choice] = (await client.chat.completions.create(request)).choices;
        return choice?.finish_reason !== 'stop' || JSON.parse(choice.message.content ?? '') !== undefined;
      },
    ],
    [
      'tools',
      async (client) => {
        const request = { model, messages: ask(), tools, tool_choice: 'required' } as const;
        const [call] = (await client.chat.completions.create(request)).choices[0]?.message.tool_calls ?? [];
        return call?.type === 'function' && typeof JSON.parse(call.function.arguments) === 'object';
      },
    ],
    [
      'stream',
      async (client) => {
        const stream = await client.chat.completions.create({ model, messages: ask(), stream: true });
        let text = '';
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        return text !== '';
      },
    ],
    ['a follow-up', (client) => followUp(client, { model, messages: ask(), tools })],
    [
      'a refusal',
      async (client, library) => {
        try {
          await client.chat.completions.create({ model: `zz-${rng.hex(12)}`, messages: ask() });
          return false;
        } catch (error) {
          return error instanceof library.NotFoundError && error.code === 'model_not_found';
        }
      },
    ],
  ];
}

/** Sends back the calls that the library built from a stream, with the members that it added. */
async function followUp(
  client: OpenAI,
  request: {
    model: string;
    messages: OpenAI.ChatCompletionMessageParam[];
    tools: OpenAI.ChatCompletionTool[];
  },
): Promise<boolean> {
  const asked = client.chat.completions.stream({ ...request, tool_choice: 'required' });
  const said = (await asked.finalChatCompletion()).choices[0]?.message;
  if (said === undefined) return false;
  // The library's streaming helper adds this member for its own users; a strict gateway may refuse it (reading B-11).
  const { parsed: _, ...turn } = said;
  const results = (turn.tool_calls ?? []).map((call) => ({
    role: 'tool' as const,
    tool_call_id: call.id,
    content: 'The sea is wide.',
  }));
  const messages = [...request.messages, turn, ...results];
  const answer = await client.chat.completions.create({ ...request, messages, tool_choice: 'none' });
  return results.length > 0 && typeof answer.choices[0]?.message.content === 'string';
}

/** Runs one use of the library; it fails by an exception or by its result. */
async function judge(parts: CheckParts, what: string, use: Use): Promise<void> {
  const { cases, keys, target } = parts;
  cases.count();
  const library = await import('openai').catch(() => {
    throw new Untestable('the client library (a development dependency of this project)');
  });
  let seen: Exchange | undefined;
  // The library tells each error below it as one of the connection.
  let below: Violation | Untestable | undefined;
  const client = new library.OpenAI({
    apiKey: keys.K1,
    baseURL: `${target.profile.base_url.replace(/\/+$/, '')}/api/v1`,
    maxRetries: 0,
    fetch: async (url, init) => {
      seen = await sendFor(parts, String(url), init ?? {}, what).catch((error: unknown) => {
        if (error instanceof Violation || error instanceof Untestable) below = error;
        throw error;
      });
      return asResponse(seen);
    },
  });
  const fail = (actual: string): void => {
    if (seen !== undefined) judgeCause(parts, what, seen);
    must(false, {
      requirement: 'CHAT-051',
      aspect: `library-${what.split(' ').at(-1)?.toLowerCase()}`,
      expected: `the client library can do this: ${what}`,
      actual,
      exchange: seen,
    });
  };
  try {
    if (!(await use(client, library))) fail('the library finds the answer incomplete');
  } catch (error) {
    if (below !== undefined) throw below;
    if (error instanceof Violation || error instanceof Untestable || seen === undefined) throw error;
    fail(`it fails: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Excludes failures that any client would get, such as another error code or a service that is down. */
function judgeCause({ judge: judged }: CheckParts, what: string, seen: Exchange): void {
  const own = { requirement: 'CHAT-051', aspect: 'library-refusal' };
  const isOwn = (code: string): boolean => code === 'model_not_found';
  if (what === 'a refusal') {
    if (isSuccess(seen) || !isOwn(String(errorCodeOf(seen))))
      judged.known(seen, { code: 'model_not_found', own, blames: isOwn });
    return;
  }
  const status = seen.response?.status ?? 0;
  // A 400 may reject what the library itself sent, so it counts.
  if (status !== 400) needServed(seen, 'twin-served');
  if (!isSuccess(seen)) return;
  // A wrong content type breaks any client, so it does not count here.
  if (['application/json', 'text/event-stream'].includes(mediaType(seen))) return;
  const sent = jsonIn(seen.request.body);
  const model = String(sent.model);
  throwing(() =>
    sent.stream === true
      ? judged.streamed(seen, { ...streamAccepted, model })
      : judged.completed(seen, { ...plainAccepted, model }),
  );
}

function jsonIn(body: Buffer): Record<string, unknown> {
  const value = parseJson(body.toString('utf8'));
  return isJsonObject(value) ? value : {};
}

async function sendFor(
  { target, http }: CheckParts,
  url: string,
  init: RequestInit,
  label: string,
): Promise<Exchange> {
  const base = target.profile.base_url.replace(/\/+$/, '');
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  return http.send({
    method: init.method ?? 'GET',
    path: url.slice(base.length),
    headers,
    body: String(init.body ?? ''),
    label,
  });
}

function asResponse(exchange: Exchange): Response {
  if (exchange.response === null) throw new TypeError(`fetch failed: ${exchange.error}`);
  const { status, headers, body } = exchange.response;
  const kept = headers.filter(
    ([name]) => !/^(content-encoding|content-length|transfer-encoding)$/i.test(name),
  );
  return new Response(new Uint8Array(body), {
    status,
    headers: kept.map(([name, value]): [string, string] => [name, value]),
  });
}
