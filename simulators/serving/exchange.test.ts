import { connect, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../control/client.ts';
import { chatBody, postChat } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

function openSocket(base: string): Socket {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const bodyOf = ({ request }: JournalEntry): Buffer => Buffer.from(request.body_base64, 'base64');

describe('the journal', () => {
  it('keeps order and case of the headers and every byte of the body', async () => {
    const tenant = simulators.tenant();
    const body = Buffer.from([0x00, 0x80, 0xff, 0x0d, 0x0a, 0x7b]);
    const socket = openSocket(simulators.base(tenant.name));
    const head = `POST /${tenant.name}/beta/v1/chat/completions?x=1 HTTP/1.1\r\nhOST: a\r\nX-Twice: 1\r\nx-twice: 2\r\nContent-length: 6\r\n\r\n`;
    socket.write(head);
    for (const byte of body) socket.write(Buffer.from([byte]));
    const { entries } = await tenant.journal({ ended: 1 });
    expect(entries[0]).toMatchObject({
      n: 1,
      tenant: tenant.name,
      channel: 'beta',
      request: {
        method: 'POST',
        path: `/${tenant.name}/beta/v1/chat/completions?x=1`,
        headers: [
          ['hOST', 'a'],
          ['X-Twice', '1'],
          ['x-twice', '2'],
          ['Content-length', '6'],
        ],
        complete: true,
      },
      reply: { status: 401, script: null },
    });
    expect(entries.map(bodyOf)).toEqual([body]);
  });

  it('selects by number and by marker', async () => {
    const tenant = simulators.tenant();
    for (const user of ['mark-a', 'mark-b', 'mark-a']) await postChat(simulators.base(tenant.name), { user });
    const numbers = async (query: object): Promise<number[]> =>
      (await tenant.journal(query)).entries.map(({ n }) => n);
    expect(await numbers({ marker: 'mark-a' })).toEqual([1, 3]);
    expect(await numbers({ after: 1, marker: 'mark-a' })).toEqual([3]);
    expect(await numbers({ after: 3 })).toEqual([]);
  });
});

it.each(['fin', 'rst'] as const)('ends reused connections by %s, and answers on new ones', async (by) => {
  const tenant = simulators.tenant();
  const agent = new Agent({ connections: 1, pipelining: 1 });
  onTestFinished(() => agent.close());
  const ask = async (path: string): Promise<number | string> => {
    const url = `${new URL(simulators.base(tenant.name)).origin}/${tenant.name}/beta/v1/${path}`;
    const headers = {
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    };
    const messages = [{ role: 'user', content: 'mark-r' }];
    const body = JSON.stringify({
      model: 'bl-4-5-20260801',
      ...(path === 'messages' && { max_tokens: 9 }),
      messages,
    });
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent }).catch(String);
    if (typeof answer === 'string') return 'lost';
    await answer.body.text();
    return answer.statusCode;
  };
  expect(await ask('messages')).toBe(200);
  await tenant.script({ marker: 'mark-r', replies: [{}], reused: by });
  const seen: (number | string)[] = [];
  for (const path of ['messages', 'messages', 'messages', 'messages/count_tokens'])
    seen.push(await ask(path));
  expect(seen).toEqual(['lost', 200, 'lost', 200]);
  const { entries } = await tenant.journal();
  expect(entries.map(({ reply }) => reply.ended)).toEqual(['complete', 'cut', 'complete', 'cut', 'complete']);
});

describe('tenants', () => {
  it('are reset separately: scripts, journal and requests in flight', async () => {
    const [tenant, other] = [simulators.tenant(), simulators.tenant()];
    for (const one of [tenant, other]) await one.script({ replies: [{ text: 'scripted', gates: ['head'] }] });
    const broken = postChat(simulators.base(tenant.name), {});
    const kept = postChat(simulators.base(other.name), {});
    const failure = expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
    await Promise.all([tenant.journal({ waiting: 1 }), other.journal({ waiting: 1 })]);
    await tenant.reset();
    await failure;
    expect((await tenant.journal()).entries).toEqual([]);
    expect(await other.release()).toBe(1);
    expect((await kept).text).toContain('scripted');
    expect((await postChat(simulators.base(tenant.name), {})).text).not.toContain('scripted');
  });
});

it('reads 20 MB, and rejects more than 64 MB with a native error', async () => {
  const tenant = simulators.tenant();
  const message = (content: string): string => chatBody({ messages: [{ role: 'user', content }] });
  const large = message(' '.repeat(20_000_000));
  expect((await postChat(simulators.base(tenant.name), large)).json()).toMatchObject({
    error: { code: 'context_length_exceeded' },
  });
  const { entries } = await tenant.journal({ ended: 1 });
  expect(entries.map((entry) => bodyOf(entry).length)).toEqual([large.length]);
  const tooLarge = await postChat(simulators.base(tenant.name), message('x'.repeat(64 * 1024 * 1024)));
  expect(tooLarge).toMatchObject({ status: 413 });
});
