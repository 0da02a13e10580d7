import type OpenAI from 'openai';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must, Untestable, Violation } from '../../engine/violation.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import type { Exchange } from '../../wire/exchange.ts';

/**
 * An unmodified client library of the common schema speaks to the gateway. Only its network is ours: what it sends goes
 * out through the kit, and it gets the very answer, so that the evidence is the same as for every other check.
 */
export const commonClientWorks: Check = defineCheck({
  id: 'chat.client.library',
  title:
    'an unmodified client library of the common chat-completions schema completes plain, JSON, tool and streamed calls',
  requirements: ['CHAT-051'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    const model = kit.anyModel();
    const messages = (): OpenAI.ChatCompletionMessageParam[] => [
      { role: 'user', content: kit.scene().prompt() },
    ];
    const ask = (prompt: string): OpenAI.ChatCompletionMessageParam[] => [
      { role: 'user', content: kit.scene().prompt(prompt) },
    ];
    const judge = judgeOf(kit);

    await judge('plain', async (client) => {
      const answer = await client.chat.completions.create({ model, messages: messages() });
      return typeof answer.choices[0]?.message.content === 'string';
    });
    await judge('JSON', async (client) => {
      const request = {
        model,
        messages: ask('Describe the sea as a JSON object.'),
        response_format: { type: 'json_object' },
      } as const;
      const answer = await client.chat.completions.create(request);
      const [choice] = answer.choices;
      return choice?.finish_reason !== 'stop' || JSON.parse(choice.message.content ?? '') !== undefined;
    });
    await judge('tools', async (client) => {
      const tools = threeTools.map((tool) => ({ type: tool.type, function: { ...tool.function } }));
      const answer = await client.chat.completions.create({
        model,
        messages: messages(),
        tools,
        tool_choice: 'required',
      });
      const [call] = answer.choices[0]?.message.tool_calls ?? [];
      return call?.type === 'function' && typeof JSON.parse(call.function.arguments) === 'object';
    });
    await judge('stream', async (client) => {
      const stream = await client.chat.completions.create({ model, messages: messages(), stream: true });
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text !== '';
    });
    await judge('a refusal', async (client, library) => {
      try {
        await client.chat.completions.create({ model: `zz-${kit.rng.hex(12)}`, messages: messages() });
        return false;
      } catch (error) {
        return error instanceof library.NotFoundError && error.code === 'model_not_found';
      }
    });
  },
});

type Library = typeof import('openai');
type Judge = (what: string, use: (client: OpenAI, library: Library) => Promise<boolean>) => Promise<void>;

/** Runs one use of the library; what it throws and what it returns both tell whether the answer served it. */
function judgeOf(kit: Kit): Judge {
  return async (what, use) => {
    kit.countCase();
    const library = await import('openai').catch(() => {
      throw new Untestable('the client library (a development dependency of this project)');
    });
    let seen: Exchange | undefined;
    const client = new library.OpenAI({
      apiKey: kit.keys.K1,
      baseURL: `${kit.profile.base_url.replace(/\/+$/, '')}/api/v1`,
      maxRetries: 0,
      fetch: async (url, init) => {
        seen = await sendFor(kit, String(url), init ?? {}, what);
        return asResponse(seen);
      },
    });
    const fail = (actual: string): void =>
      must(false, {
        requirement: 'CHAT-051',
        aspect: `library-${what.split(' ').at(-1)?.toLowerCase()}`,
        expected: `the client library is served: ${what}`,
        actual,
        exchange: seen,
      });
    try {
      if (!(await use(client, library))) fail('an answer that it reads as incomplete');
    } catch (error) {
      if (error instanceof Violation || seen === undefined) throw error;
      fail(`it fails: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

async function sendFor(kit: Kit, url: string, init: RequestInit, label: string): Promise<Exchange> {
  const base = kit.profile.base_url.replace(/\/+$/, '');
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  return kit.send({
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
