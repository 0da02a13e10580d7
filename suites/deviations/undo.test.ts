import type { Failure } from 'gatecheck-reports/report';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { minimalProfile } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { combineMutations } from '../rewrite/combine-mutations.ts';
import { startFrontProxy } from '../rewrite/front-proxy.ts';
import { type Sent, startOrigin } from '../rewrite/testing/origin.ts';
import { inSpecifiedWords } from '../watch/in-words.ts';
import { createWireClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { datedModelNames } from './dated-model-names.ts';
import { deviations } from './deviations.ts';
import { deviating } from './testing/deviating.ts';
import { undeclaredInWords, undoDeviations, undonePassing } from './undo.ts';
import { usageOnRequest } from './usage-on-request.ts';

/** With a number that a double cannot hold: all but the deviation has to stay as it was written. */
const exactly = (value: object): string => JSON.stringify(value).replace(/\}$/, ',"n":9007199254740993}');

/** A gateway as specified, as far as these deviations go. */
const origin = await startOrigin((request, response, body) => {
  const { model, stream } = body.length > 0 ? JSON.parse(body.toString()) : {};
  response.setHeader('x-request-id', 'r-1');
  if (request.url === '/api/v1/tasks/one') {
    response.setHeader('content-type', 'application/json');
    response.end(exactly({ task_id: 'one', status: 'RUNNING' }));
    return;
  }
  if (!request.url?.startsWith('/api/v1/chat')) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(exactly({ error: { type: 'invalid_request_error', code: 'x', message: request.url } }));
    return;
  }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  response.setHeader('content-type', stream === true ? 'text/event-stream' : 'application/json');
  const said = (delta: object) => [{ index: 0, delta, finish_reason: 'stop' }];
  if (stream !== true) {
    const choices = [{ index: 0, message: { content: '' }, finish_reason: 'stop' }];
    response.end(exactly({ object: 'chat.completion', model, choices, usage }));
  } else {
    const chunk = { object: 'chat.completion.chunk', model, choices: said({ content: '' }) };
    const first = { ...chunk, choices: said({ content: '', role: 'assistant' }) };
    const events = [first, { ...chunk, usage }].map((one) => `data: ${exactly(one)}\n\n`);
    response.end(`${events.join('')}data: [DONE]\n\n`);
  }
});
const front = await startFrontProxy(origin.url, new Map(deviating.map(({ id, mutation }) => [id, mutation])));
afterAll(async () => {
  await front.close();
  await origin.close();
});

const key: [string, string] = ['authorization', 'Bearer sk-app-1'];
const chat = (body: object): Sent => ({
  method: 'POST',
  headers: [key, ['content-type', 'application/json']],
  body: JSON.stringify({ model: 'delta-3', messages: [], ...body }),
});
const calls: readonly [string, Sent][] = [
  ['/api/v1/chat/completions', chat({})],
  ['/api/v1/chat/completions', chat({ stream: true })],
  ['/api/v1/tasks/nobody', { headers: [key] }],
  ['/api/v1/tasks/one', { headers: [key] }],
];

async function exchangesOf(profile: Profile): Promise<Exchange[]> {
  const client = createWireClient(profile);
  const answers = await Promise.all(
    calls.map(([path, { method = 'GET', headers = [], body }]) =>
      client.send({
        method,
        path,
        headers: Object.fromEntries(headers),
        ...(body !== undefined && { body }),
      }),
    ),
  );
  await client.close();
  return answers;
}

const shownOf = (exchanges: readonly Exchange[]): unknown[] =>
  exchanges.map(({ response }) => [
    response?.status,
    response?.headers.filter(([name]) => /^x-/i.test(name)),
    response?.body.toString(),
  ]);

/** The answers to the calls, as checks see them. */
const seenBy = async (profile: Profile): Promise<unknown[]> => shownOf(await exchangesOf(profile));
const seenAt = (url: string) => seenBy(minimalProfile(url, 'sk-app-1'));

const declaring = (id: string, given: unknown, url = front.baseUrlOf(id)) => ({
  ...minimalProfile(url, 'sk-app-1'),
  deviations: [given === undefined ? id : { [id]: given as string }],
});

it('each deviation of the catalogue has a gateway that shows it', () => {
  expect(deviating.map(({ id }) => id).toSorted()).toEqual(deviations.map(({ id }) => id).toSorted());
});

describe.each(deviating)('$id', ({ id, given }) => {
  it('shows, and is translated for all checks except those that report it', async () => {
    const plain = await seenAt(origin.url);
    expect(await seenAt(front.baseUrlOf(id))).not.toEqual(plain);
    const undone = undoDeviations(declaring(id, given));
    expect(await seenBy(undone.profile)).toEqual(plain);
    const { checks = [] } = deviations.find((one) => one.id === id) ?? {};
    expect(undone.apart.map(({ check }) => check)).toEqual(checks);
    for (const { profile } of undone.apart)
      expect(await seenBy(profile)).toEqual(await seenAt(front.baseUrlOf(id)));
  });

  it("is translated in client traffic that already follows the deployment's form", async () => {
    const declared = declaring(id, given);
    const passed = (await exchangesOf(undoDeviations(declared).profile)).map(({ carried, ...one }) => ({
      ...{ ...one, request: carried?.request ?? one.request },
      response: one.response && { ...one.response, ...carried?.answer },
    }));
    const read = passed.map((one) => inSpecifiedWords(one, undonePassing(declared)));
    expect(shownOf(read)).toEqual(await seenAt(origin.url));
    expect(read.map(({ request }) => request.url)).toEqual(calls.map(([path]) => declared.base_url + path));
  });

  it('rejects an invalid value', () => {
    for (const wrong of given === undefined ? ['x', []] : [undefined, {}, [], 'no/\u0000 path'])
      expect(() => undoDeviations(declaring(id, wrong, origin.url))).toThrow(`deviations: ${id} takes`);
  });
});

it('translates all deviations together', async () => {
  const all = deviating.filter(({ id }) => id !== 'other-model-names');
  const mutation = combineMutations(all.map((one) => one.mutation));
  const together = await startFrontProxy(origin.url, new Map([['all', mutation]]));
  const undone = undoDeviations({
    ...minimalProfile(together.baseUrlOf('all'), 'sk-app-1'),
    deviations: all.map(({ id, given }) => (given === undefined ? id : { [id]: given as string })),
  });
  expect(await seenBy(undone.profile)).toEqual(await seenAt(origin.url));
  await together.close();
});

it.each([
  [['odd'], /there is no odd/],
  [['usage-on-request', 'usage-on-request'], /usage-on-request is there twice/],
])('rejects %j', (named, message) => {
  const profile = { ...minimalProfile(origin.url, 'sk-app-1'), deviations: named };
  expect(() => undoDeviations(profile)).toThrow(message);
});

it.each([
  ['finish-reasons', { stop: 'length' }],
  ['finish-reasons', { end_turn: 'end' }],
  ['task-states', { SUCCESS: 'FAILED' }],
  ['task-states', { done: 'success' }],
])('%s rejects specified words as own words, and unspecified targets: %j', (id, given) => {
  expect(() => undoDeviations(declaring(id, given, origin.url))).toThrow(`deviations: ${id} takes`);
});

it('requests usage only for streams, and keeps all other bytes', () => {
  const asking = (body: string) => ({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: [],
    body: Buffer.from(body),
  });
  const sent = (body: string) => {
    const passed = usageOnRequest.undo(undefined)?.request?.(asking(body));
    return passed?.body.toString() ?? '';
  };
  expect(sent('{"stream":true,"seed":9007199254740993}')).toBe(
    '{"stream":true,"seed":9007199254740993,"stream_options":{"include_usage":true}}',
  );
  expect(sent('{"stream":true,"stream_options":{}}')).toBe(
    '{"stream":true,"stream_options":{"include_usage":true}}',
  );
  for (const body of [
    '{"stream":false}',
    '{"stream":true,"stream_options":5}',
    '{"stream":true,"stream_options":{"include_usage":false}}',
    '{"stream":',
  ])
    expect(sent(body)).toBe(body);
});

describe('a model name with a date', () => {
  const undo = datedModelNames.undo(undefined);
  const request = {
    method: 'POST',
    path: '/compat-b/v1beta/models/delta-3:generateContent',
    headers: [],
    body: Buffer.from('{}'),
  };
  it.each([
    ['delta-3-2026-08-07', 'delta-3'],
    ['delta-3-20260807', 'delta-3'],
    ['delta-3', 'delta-3'],
    ['delta-4-2026-08-07', 'delta-4-2026-08-07'],
    ['delta-3-native', 'delta-3-native'],
  ])('%s becomes %s in every protocol', (model, expected) => {
    for (const answer of [{ model }, { modelVersion: model }, { message: { model } }]) {
      const body = Buffer.from(JSON.stringify(answer));
      const text = JSON.stringify(answer).replace(model, expected);
      expect(undo?.answer?.({ status: 200, headers: [], body }, request).body.toString()).toBe(text);
      const event = `event: message_start\ndata: ${JSON.stringify(answer)}`;
      expect(undo?.events?.(request)(event)).toEqual([event.replace(model, expected)]);
    }
  });
});

it('a gateway without usage is asked nothing of its counts, and chunks before the last get none', () => {
  const { translation } = undoDeviations(declaring('lacking-members', ['usage'], origin.url)).profile;
  expect(['RESP-014', 'RESP-001'].map((rule) => translation?.silences?.(rule))).toEqual([
    'deviations: lacking-members',
    null,
  ]);
  const request = { method: 'POST', path: '/api/v1/chat/completions', headers: [], body: Buffer.from('{}') };
  const events = translation?.events(request);
  const sent = (reason: string | null) =>
    events?.(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: reason }] })}`).join('');
  expect(sent(null)).not.toContain('usage');
  expect(sent('stop')).toContain('usage');
  const actual = "/id must have required property 'id'";
  const exchange = { response: { body: '{"id":"1","choices":[{"message":{}}],"usage":{}}' } };
  const results = Array.from({ length: 10 }, () => ({
    verdict: 'fail' as const,
    failure: { requirement: 'RESP-001', aspect: 'shape', actual, exchange } as Failure,
  }));
  expect(undeclaredInWords(results, { declared: [] }).join()).toContain(
    '"deviations: [lacking-members: [object, created, model]]"',
  );
});

it('names the line to add when many checks fail for a rule that a deviation violates', () => {
  const failing = (requirement: string, count: number) =>
    Array.from({ length: count }, () => ({
      verdict: 'fail' as const,
      failure: { requirement, aspect: '', actual: '' } as Failure,
    }));
  const declared = [datedModelNames];
  expect(undeclaredInWords([...failing('RESP-004', 9), ...failing('RESP-001', 30)], { declared })).toEqual(
    [],
  );
  expect(undeclaredInWords(failing('RESP-004', 10), { declared })).toEqual([
    '10 checks fail for RESP-004. If your gateway differs on purpose, declare it, and the other rules of these checks are judged: "deviations: [other-model-names: { delta-3: vendor/delta-3 }]" if answers name models otherwise than they are asked for.',
  ]);
  const asked = { request: { body: '{"stream_options":{"include_usage":true}}' } };
  const unasked = { request: { body: '{"stream":true}' } };
  const silent = (exchange: object) => ({
    verdict: 'fail' as const,
    failure: { requirement: 'SSE-023', aspect: 'usage-whatever-is-said', actual: '', exchange } as Failure,
  });
  const without = failing('SSE-009', 10);
  expect(undeclaredInWords([...without, silent(unasked)], { declared })).toHaveLength(1);
  expect(undeclaredInWords([...without, silent(asked)], { declared })).toEqual([]);
});

it('suggests a member or header that quotes the upstream only where an error has one', () => {
  const failing = (response: object) =>
    Array.from({ length: 10 }, () => ({
      verdict: 'fail' as const,
      failure: {
        requirement: 'ERR-009',
        aspect: 'raw',
        actual: 'holds canary-6f4760bd',
        exchange: { response },
      } as Failure,
    }));
  const error = { message: 'canary-6f4760bd', type: 'api_error', code: 'upstream_error', param: null };
  const body = JSON.stringify({ error });
  expect(undeclaredInWords(failing({ headers: [['server', 'a']], body }), { declared: [] })).toEqual([]);
  const beside = JSON.stringify({ error: { ...error, metadata: 'canary-6f4760bd' } });
  expect(undeclaredInWords(failing({ headers: [], body: beside }), { declared: [] }).join()).toMatch(
    /"deviations: \[error-member: metadata\]" if [^"]*$/,
  );
  const headers = [['x-upstream-error', 'canary-6f4760bd']];
  expect(undeclaredInWords(failing({ headers, body }), { declared: [] }).join()).toContain('answer-headers');
});

it('accepts the example value of each deviation that takes a value', () => {
  for (const { id, takes, undo } of deviations) {
    const [, example] = takes?.match(/ such as (.*)$/) ?? [];
    expect([id, takes === undefined || undo(parse(example ?? '')) !== null]).toEqual([id, true]);
  }
});
