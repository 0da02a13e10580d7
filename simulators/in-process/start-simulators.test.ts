import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readPath } from '../faults/native/json-path.ts';
import { post } from '../testing/post.ts';
import { chatBody, postChat } from '../testing/post-chat.ts';
import { postMessages } from '../testing/post-messages.ts';
import { type MatchInCode, type Simulators, startSimulators } from './start-simulators.ts';

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators();
});
afterAll(() => simulators.close());

/** The text of a completion, or the status of an error. */
async function ask(v1: string, members: object = {}): Promise<string | number> {
  const { status, json } = await postChat(v1, { ...members });
  return status === 200
    ? (json<{ choices: { message: { content: string } }[] }>().choices[0]?.message.content ?? '')
    : status;
}

const says = (content: unknown) => ({ messages: [{ role: 'user', content }] });

it('starts within 100 ms, and stops at the end of the block', async () => {
  const from = performance.now();
  let url = '';
  {
    await using own = await startSimulators();
    url = own.tenant().v1;
    expect(performance.now() - from).toBeLessThan(100);
    expect(await ask(url)).not.toBe('');
  }
  await expect(postChat(url, {})).rejects.toThrow('ECONNREFUSED');
});

it('answers 429 once and then succeeds', async () => {
  const upstream = simulators.tenant();
  upstream.on({}, 429, 'Hello');
  expect([await ask(upstream.v1), await ask(upstream.v1), await ask(upstream.v1)]).toEqual([
    429,
    'Hello',
    'Hello',
  ]);
  upstream.verify();
});

it('breaks a stream off after as many chunks of text as asked, however short the text is', async () => {
  const upstream = simulators.tenant();
  upstream.on({}, { text: 'one two', fault: { id: 'S2', after: 4 } });
  const answer = await postChat(upstream.v1, { stream: true });
  expect(answer.text.match(/"content":"[^"]+"/g)).toHaveLength(4);
});

it('serves many tests at once, each with a tenant of its own', async () => {
  const answers = Array.from({ length: 20 }, async (_, at) => {
    await using upstream = simulators.tenant();
    upstream.on({}, `answer ${at}`);
    const answer = await ask(upstream.v1);
    expect(upstream.requests()).toHaveLength(1);
    return answer;
  });
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, at) => `answer ${at}`));
});

describe('a match', () => {
  const tool = { type: 'function', function: { name: 'weather', parameters: {} } };
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
  it.each<[string, MatchInCode, object, object]>([
    ['a part of the text', { text: 'über' }, says('das \u00fcber allem'), says('uber')],
    ['the exact text', { text: { exact: 'hello' } }, says('hello'), says('hello there')],
    ['a pattern', { text: { pattern: '^in (\\w+)$' } }, says('in Paris'), says('in Paris!')],
    [
      'text in blocks',
      { text: 'sea' },
      says([{ type: 'text', text: 'the sea' }]),
      says([{ type: 'text', text: 'land' }]),
    ],
    ['the model', { model: 'a5*' }, { model: 'a5p-2026-08-07' }, { model: 'd3-2026-07-11' }],
    ['offered tools', { tools: ['weather'] }, { tools: [tool] }, {}],
    ['no tools', { tools: false }, {}, { tools: [tool] }],
    [
      'the turn',
      { turn: 2 },
      { messages: [...says('a').messages, { role: 'assistant', content: 'b' }, ...says('c').messages] },
      says('a'),
    ],
    [
      'the system',
      { system: 'brief' },
      { messages: [{ role: 'developer', content: 'be brief' }, ...says('a').messages] },
      says('brief'),
    ],
    [
      'the role of the last message',
      { role: 'tool' },
      {
        messages: [
          ...says('a').messages,
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: '7' },
        ],
      },
      says('a'),
    ],
    [
      'the result of a tool',
      { tool_result: 'weather' },
      {
        messages: [
          ...says('a').messages,
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: '7' },
        ],
      },
      says('a'),
    ],
    [
      'code',
      { where: (request: { json: unknown }) => JSON.stringify(request.json).includes('seven') },
      says('seven'),
      says('eight'),
    ],
  ])('is by %s', async (_, match, meant, other) => {
    const upstream = simulators.tenant();
    upstream.on({}, 'other');
    upstream.on(match, 'meant');
    expect([await ask(upstream.v1, meant), await ask(upstream.v1, other)]).toEqual(['meant', 'other']);
  });

  it('selects by key, header, path and dialect', async () => {
    const upstream = simulators.tenant();
    upstream.on({ dialect: 'messages' }, 'by dialect');
    upstream.on({ key: 'sk-of-one-caller' }, 'by key');
    upstream.on({ header: { name: 'x-team', value: 'a' } }, 'by header');
    expect((await postMessages(upstream.v1, {})).json()).toMatchObject({ content: [{ text: 'by dialect' }] });
    expect((await postChat(upstream.v1, {}, 'sk-of-one-caller')).text).toContain('by key');
    const headers = { authorization: 'Bearer any-key', 'x-team': 'a' };
    expect((await post(`${upstream.v1}/chat/completions`, chatBody({}), headers)).text).toContain(
      'by header',
    );
    expect(JSON.stringify(await upstream.control.scripts())).not.toContain('sk-of-one-caller');
  });
});

it('fills placeholders from the request, and keeps unknown ones', async () => {
  const upstream = simulators.tenant();
  upstream.on(
    { text: { pattern: 'rain in (?<city>\\w+)' } },
    {
      text: '{{match.city}}/{{match.1}} by {{model}}, turn {{turn}}: {{text}} {{body.messages.0.role}} {{unknown}} {{ x }',
    },
  );
  expect(await ask(upstream.v1, says('rain in Oslo'))).toBe(
    'Oslo/Oslo by a52-2026-08-07, turn 1: rain in Oslo user {{unknown}} {{ x }',
  );
});

it('escapes texts in the arguments of calls, and refuses a function as a reply', async () => {
  const upstream = simulators.tenant();
  const given = '{"said":"{{text}}","all":{{body.messages}}}';
  upstream.on({}, { tool_calls: [{ name: 'tide', arguments: given }] });
  const text = 'say "hi"\\\n';
  const { json } = await postChat(upstream.v1, says(text));
  const filled = readPath(json(), ['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']);
  expect(JSON.parse(String(filled))).toMatchObject({ said: text, all: [{ content: text }] });
  expect(() => upstream.on({}, (() => 'hi') as unknown as string)).toThrow('replies[0]: a reply is a text');
});

it('names the nearest script, in a strict 501 and when a test ends', async () => {
  const upstream = simulators.tenant();
  upstream.strict = true;
  upstream.script({
    name: 'rain',
    match: { text: 'rain', model: 'a52*' },
    replies: [{ text: 'wet' }, { text: 'dry' }],
  });
  const answer = await postChat(upstream.v1, says('sun'));
  expect(answer.status).toBe(501);
  expect(answer.text).toContain('the nearest script is rain: text is sun, not rain');
  expect(await ask(upstream.v1, says('rain'))).toBe('wet');
  expect(() => upstream.verify()).toThrow(
    /not used: rain, 1 of 2 replies taken; [\s\S]*not expected: POST .*chat\/completions; the nearest script is rain/,
  );
  upstream.reset();
  upstream.verify();
  upstream.strict = true;
  upstream.on({ tools: ['look_up'] }, 'found');
  upstream.on({ text: 'a poem', stream: true }, 'streamed');
  expect((await postChat(upstream.v1, says('a poem'))).text).toContain('stream is false, not true');
});

it('says when a test ends that a fault was not met, could not act, or met a refused call', async () => {
  const upstream = simulators.tenant();
  upstream.fault({ fault: { id: 'reset-mid' }, when: { model: 'other' } });
  expect(() => upstream.verify()).toThrow('not met: fault-1, S3; it matches {"model":"other"}');
  upstream.reset();
  upstream.on({}, { fault: 'error-mid' });
  expect(await ask(upstream.v1)).toBe(501);
  expect(() => upstream.verify()).toThrow('cannot do what is scripted: S8');
  upstream.reset();
  upstream.on({}, { fault: 'no-done' });
  expect((await postChat(upstream.v1, { stream: true, messages: 'none' })).status).toBe(400);
  expect(() => upstream.verify()).toThrow(/refused with 400, so the fault S\d+ could not act/);
});

it('rejects a script with the path of the mistake', () => {
  const upstream = simulators.tenant();
  expect(() => upstream.on({}, { txt: 'a' } as never)).toThrow('replies[0].txt: unknown member');
  expect(() => upstream.on('hello' as never, 'a')).toThrow("match: an object such as { text: 'hello' }");
  expect(() => upstream.on({ text: { pattern: '(' } }, 'a')).toThrow(/match\.text\.pattern: .*group/i);
  expect(() => upstream.fault('S99')).toThrow('there is no fault S99');
  expect(() => upstream.fault({ id: 'cdn-html', form: '501' })).toThrow('form');
});

it('sets a fault by its name, and changes and removes scripts', async () => {
  const upstream = simulators.tenant();
  upstream.fault({ fault: { id: 'rate-limit-requests' }, times: 1 });
  const id = upstream.on({}, 'first');
  expect([await ask(upstream.v1), await ask(upstream.v1)]).toEqual([429, 'first']);
  await upstream.control.changeScript(id, { replies: [{ text: 'second' }] });
  expect(await ask(upstream.v1)).toBe('second');
  await upstream.control.unscript(id);
  expect(await upstream.control.scripts()).toEqual([]);
});

it('reloads script files when they change, and keeps the last valid ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('a.yaml', 'scripts:\n  - match: { text: hello }\n    reply: Hi\n');
  write('b.json', JSON.stringify({ scripts: [{ replies: [503, 'else'] }] }));
  const problems: unknown[] = [];
  // As when a log lies in the same folder: each message changes it.
  const onDefect = (error: unknown): void => {
    problems.push(error);
    write('log.txt', String(error));
  };
  await using own = await startSimulators({ fixtures: folder, onDefect });
  const [one, other] = [own.tenant(), own.tenant()];
  expect([await ask(one.v1, says('hello')), await ask(one.v1), await ask(one.v1)]).toEqual([
    'Hi',
    503,
    'else',
  ]);
  expect(await ask(other.v1)).toBe(503);
  write('a.yaml', 'scripts:\n  - match: { text: hello }\n    reply: Good day\n');
  for (;;) if ((await ask(one.v1, says('hello'))) === 'Good day') break;
  write('a.yaml', 'scripts:\n  - match: { txt: hello }\n    reply: Bye\n');
  await vi.waitUntil(() => problems.length > 0);
  expect(String(problems[0])).toMatch(/a\.yaml:2:14: scripts\[0\]\.match\.txt: unknown member/);
  expect(await ask(one.v1, says('hello'))).toBe('Good day');
  await expect(startSimulators({ fixtures: folder })).rejects.toThrow('a.yaml:2:14');
  write('a.yaml', 'scripts: [{ match: { text: hello }, replies: [Bye, Again] }]\n');
  await vi.waitUntil(() => problems.length > 1);
  expect(String(problems[1])).toContain('can be read again');
  expect(await ask(one.v1, says('hello'))).toBe('Bye');
  write('log.txt', 'another line');
  write('c.yaml', 'scripts: []\n');
  expect([await ask(one.v1, says('hello')), problems.length]).toEqual(['Again', 2]);
});
