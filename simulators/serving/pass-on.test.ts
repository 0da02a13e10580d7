import { createServer, type RequestListener } from 'node:http';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { faultFacts } from '../fault-contract/known-faults.ts';
import { faults } from '../faults/catalogue.ts';
import { listen } from '../http/listen.ts';
import { startSimulators } from '../in-process/start-simulators.ts';
import { rawCall } from '../testing/raw-call.ts';
import { type Cell, cellsOf } from '../testing/send-cell.ts';
import { useSimulators } from '../testing/simulators.ts';

const name = 'passing';
/** Plays a real provider. */
const real = useSimulators({ testClock: true });
/** Gives the same answers without a provider, due to the same seed, tenant and request number. */
const simulated = useSimulators({ testClock: true });
const passing = useSimulators({
  testClock: true,
  passTo: () => real.base(name).replace(/\/v1$/, ''),
});

const changing = new Set(
  faults.filter(({ kind }) => ['edit', 'wire', 'cut'].includes(kind)).map(({ id }) => id),
);
/** Faults whose answer never ends, or only after a large number of bytes; and one that needs a second request. */
const lasting = ['T9', 'T10', 'T11', 'T20', 'S29'];
const cases = [...faultFacts.values()]
  .filter(({ id, verdict }) => changing.has(id) && verdict.deadline === null && !lasting.includes(id))
  .flatMap((facts) => cellsOf(facts).map((cell) => ({ ...cell, fault: facts.id })));

const times =
  /^location: .*\r?\n|^(?:date|\S+-reset): .*\r?\n|"created": ?[\d.]+|"obfuscation":"\w*"|^: ping - .*$/gim;

/** The order of headers is irrelevant. */
function plainOf(text: string): string {
  const [head = '', ...body] = text.replaceAll(times, '').split('\r\n\r\n');
  return [head.split('\r\n').toSorted().join('\r\n'), ...body].join('\r\n\r\n');
}

async function answerOf(one: typeof real, { fault: id, form, ...call }: Cell & { fault: string }) {
  const tenant = one.control.tenant(name);
  const fault = form === null ? { id } : { id, form };
  await tenant.script({ replies: [{ fault }] });
  const raw = rawCall(one.base(name), call);
  const end = await raw.over;
  const { entries } = await tenant.journal({ ended: 1 });
  await tenant.reset();
  return { end, text: plainOf(raw.text()), entry: entries.at(-1)?.reply.fault };
}

it("changes a provider's answer with any fault as it changes a simulated one", {
  timeout: 120_000,
}, async () => {
  const isFull = process.env.GATECHECK_TEST_FULL !== undefined;
  const chosen = isFull ? cases : fc.sample(fc.constantFrom(...cases), 100);
  for (const one of chosen) {
    const [met, own] = await Promise.all([answerOf(passing, one), answerOf(simulated, one)]);
    if (own.entry?.fitted === undefined) expect(met, JSON.stringify(one)).toEqual(own);
    else expect(met.text, JSON.stringify(one)).toMatch(/ 501 [\s\S]*it needs/);
  }
});

const key = 'sk-live-0123456789abcdef';
const json = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

/** A small provider with a base URL like those of others, and simulators that pass to it. */
async function behind(answer: RequestListener) {
  const server = createServer(answer);
  const port = await listen(server, 0);
  onTestFinished(() => void server.close().closeAllConnections());
  const simulators = await startSimulators({ passTo: `http://127.0.0.1:${port}/openai/v1` });
  onTestFinished(() => simulators.close());
  return { upstream: simulators.tenant('behind'), control: simulators.control.tenant('behind'), server };
}

it('passes calls and answers through as they arrive, without keys in the journal', async () => {
  const seen: string[] = [];
  const next = Promise.withResolvers<void>();
  const { upstream, control } = await behind((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization} ${request.headers.host}`);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': `for ${key}` });
    response.write('data: 1\n\n');
    void next.promise.then(() => response.end(`data: ${key}\n\n`));
  });
  const answer = await fetch(`${upstream.v1}/files/any?key=${key}`, { headers: json });
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
  next.resolve();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain(key);
  expect(seen).toEqual([
    expect.stringMatching(
      new RegExp(`^/openai/v1/files/any\\?key=${key} Bearer ${key} 127\\.0\\.0\\.1:\\d+$`),
    ),
  ]);
  const { entries } = await control.journal({ ended: 1 });
  expect(entries[0]?.reply.passed_to).toMatch(/^http:/);
  expect(JSON.stringify(entries)).not.toContain(key);
  expect(Buffer.from(entries[0]?.reply.body_base64 ?? '', 'base64').toString()).toMatch(/data: sha256:/);
});

it("answers scripted calls itself, and passes a provider's errors through", async () => {
  let calls = 0;
  const { upstream } = await behind((_, response) => {
    calls += 1;
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' }).end('{"error":{}}');
  });
  upstream.on({ text: 'scripted' }, 'Yes.');
  upstream.on({ text: 'faulty' }, { fault: { id: 'S3' } });
  const ask = async (content: string) => {
    const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content }] });
    const answer = await fetch(`${upstream.v1}/chat/completions`, { method: 'POST', headers: json, body });
    return [answer.status, answer.headers.get('retry-after'), (await answer.text()).includes('Yes.')];
  };
  expect([await ask('scripted'), await ask('faulty'), await ask('other')]).toEqual([
    [200, null, true],
    [429, '7', false],
    [429, '7', false],
  ]);
  expect(calls).toBe(2);
});

it('breaks off with the provider, reports an unreachable one, and disconnects with the client', async () => {
  const left = Promise.withResolvers<void>();
  const { upstream, server } = await behind((request, response) => {
    if (request.url?.endsWith('/stays') === true) return void response.on('close', left.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n', () => response.destroy());
  });
  const get = (path: string, signal?: AbortSignal) =>
    fetch(`${upstream.v1}${path}`, { headers: json, ...(signal === undefined ? {} : { signal }) });
  await expect((await get('/breaks')).text()).rejects.toThrow();
  const leaving = new AbortController();
  const stays = get('/stays', leaving.signal);
  setTimeout(() => leaving.abort(), 50);
  await expect(stays).rejects.toThrow();
  await left.promise;
  server.close().closeAllConnections();
  const unreachable = await get('/any');
  expect([unreachable.status, await unreachable.text()]).toEqual([
    502,
    expect.stringMatching(/no whole answer/),
  ]);
});

it('applies faults to a stream of responses, and reports a stream without a known end', async () => {
  const said = (type: string): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, delta: 'Ebb' })}\n\n`;
  const whole = ['created', 'output_text.delta', 'output_text.delta', 'output_item.done', 'completed'];
  const { upstream } = await behind((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = request.headers['x-half'] === undefined ? whole : whole.slice(0, 2);
    response.end(events.map((name) => said(`response.${name}`)).join(''));
  });
  upstream.on({}, { fault: { id: 'S3', after: 1 } });
  const ask = async (more = {}) => {
    const body = JSON.stringify({ model: 'any', stream: true, input: 'Hi' });
    return fetch(`${upstream.v1}/responses`, { method: 'POST', headers: { ...json, ...more }, body });
  };
  await expect((await ask()).text()).rejects.toThrow();
  expect((await ask({ 'x-half': '1' })).status).toBe(501);
});
