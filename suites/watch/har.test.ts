import { describe, expect, it } from 'vitest';
import { loadRegister } from '../rules/register.ts';
import { readHar } from './har.ts';
import { Watcher } from './watcher.ts';

const entry = (status: number, text: string): object => ({
  startedDateTime: '2026-11-26T05:00:00.000Z',
  time: 20,
  request: {
    ...{ method: 'POST', url: 'https://gw.example/api/v1/chat/completions' },
    headers: [{ name: 'Authorization', value: 'Bearer sk-app-of-somebody' }],
    postData: { text: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(50) }] }) },
  },
  response: {
    ...{ status, headers: [{ name: 'Content-Type', value: 'application/json' }] },
    content: { text: Buffer.from(text).toString('base64'), encoding: 'base64' },
  },
});

const archive = (...entries: unknown[]): string => JSON.stringify({ log: { version: '1.2', entries } });

/** A watch that has judged a recording, what it showed, and how much it left undecided. */
async function judged(entries: readonly object[], sample = 1) {
  const shown: string[] = [];
  const watcher = new Watcher({
    ...{ register: loadRegister(), sample, tasks: 10, bodyBytes: 1e7, command: '', profile: null },
    onFailure: (check, failure) => shown.push(`${check} ${JSON.stringify(failure)}`),
  });
  for (const one of readHar(archive(...entries))?.exchanges ?? []) watcher.take(one);
  return { watcher, shown, undecided: await watcher.conclude() };
}

it('judges recorded exchanges, without showing keys or texts', async () => {
  const { shown, undecided } = await judged([entry(404, '{"error":"none"}')]);
  expect(undecided).toBe(0);
  expect(shown).toHaveLength(1);
  expect(shown[0]).toContain('errors {"requirement":"ERR-002"');
  expect(shown[0]).toContain('$GATECHECK_KEY');
  expect(shown[0]).not.toContain('sk-app-of-somebody');
  expect(shown[0]).toContain('(50 characters)');
});

it('judges only the requested share, and counts the rest', async () => {
  const { watcher } = await judged(
    Array.from({ length: 40 }, () => entry(404, '{}')),
    0.25,
  );
  expect(watcher.seen.get('errors')?.judged).toBe(10);
  expect(watcher.unjudged.get('left out by --sample')).toBe(30);
});

it('rejects files that are not archives, and counts exchanges without an answer', () => {
  for (const text of ['no JSON', '[]', '{"log":1}']) expect(readHar(text)).toBeNull();
  const recording = readHar(archive({ request: {} }, 5, entry(0, '{}'), entry(200, '{}')));
  expect(recording?.exchanges).toHaveLength(1);
  expect(recording?.unjudged).toEqual(Array(3).fill('recorded without an answer, a time or an address'));
});

describe('a recording of a browser', () => {
  const shown = (entry: object, more: object): object => {
    const { response } = entry as { response: object };
    return { ...entry, response: { ...response, ...more } };
  };
  const whole = entry(200, '{}');
  const plain = { status: 200, headers: [], _error: null };

  it.each<[string, object, string]>([
    [
      'a body that was not kept',
      shown(whole, { content: { size: 900, mimeType: 'text/event-stream' } }),
      'recorded without its body',
    ],
    [
      'a body that was cut',
      shown(whole, { content: { size: 9, text: '{"a"', comment: 'truncated' } }),
      'recorded without its body',
    ],
    ['a reader who left', shown(whole, { _error: 'net::ERR_ABORTED' }), 'the client left'],
    ['an answer that was not asked for again', { ...whole, _fromCache: 'disk' }, 'from a cache'],
  ])('is not judged of %s', (_, given, why) => {
    expect(readHar(archive(given))).toEqual({ exchanges: [], unjudged: [why] });
  });

  it('is read after a byte order mark, and without codings, which are already decoded', () => {
    const headers = [{ name: 'content-encoding', value: 'br' }];
    const text = archive(shown(whole, { ...plain, headers, content: { size: 4, text: '{"é":1}' } }));
    const [first] = readHar(`\uFEFF${text}`)?.exchanges ?? [];
    expect(String(first?.exchange.response?.body)).toBe('{"é":1}');
    expect(first?.exchange.response?.headers).toEqual([]);
  });

  it('gets the type of its body when no header was kept', () => {
    const content = { size: 2, text: '{}', mimeType: 'application/json' };
    const [first] = readHar(archive(shown(whole, { ...plain, content })))?.exchanges ?? [];
    expect(first?.exchange.response?.headers).toEqual([['content-type', 'application/json']]);
  });

  it('is incomplete when the network failed', () => {
    const error = 'net::ERR_INCOMPLETE_CHUNKED_ENCODING';
    const text = archive(shown(whole, { _error: error, content: { size: 90, text: 'data: {}\n' } }));
    expect(readHar(text)?.exchanges[0]?.exchange.response?.complete).toBe(false);
  });

  it('without request bodies has its refusals judged, but not its answers', async () => {
    const unsent = [200, 404].map((status) => {
      const { request, ...rest } = entry(status, '{}') as { request: { postData?: unknown } };
      const { postData: _, ...bare } = request;
      return { ...rest, request: bare };
    });
    const { watcher } = await judged(unsent);
    expect(watcher.unjudged.get('whose request is no JSON object')).toBe(1);
    expect(watcher.seen.get('errors')?.judged).toBe(1);
  });
});
