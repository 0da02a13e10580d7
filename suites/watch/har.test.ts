import { expect, it } from 'vitest';
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

it('judges what was recorded, and shows neither keys nor texts', async () => {
  const shown: string[] = [];
  const watcher = new Watcher({
    ...{ register: loadRegister(), sample: 1, tasks: 10, command: 'npx gatecheck watch', profile: null },
    onFailure: (check, failure) => shown.push(`${check} ${JSON.stringify(failure)}`),
  });
  for (const one of readHar(archive(entry(404, '{"error":"none"}'))) ?? []) watcher.take(one);
  expect(await watcher.conclude()).toBe(0);
  expect(shown).toHaveLength(1);
  expect(shown[0]).toContain('errors {"requirement":"ERR-002"');
  expect(shown[0]).toContain('$GATECHECK_KEY');
  expect(shown[0]).not.toContain('sk-app-of-somebody');
  expect(shown[0]).toContain('(50 characters)');
});

it('judges only the share that is asked for, and counts the rest', async () => {
  const watcher = new Watcher({
    ...{ register: loadRegister(), sample: 0.25, tasks: 10, command: '', profile: null },
    onFailure: () => undefined,
  });
  const all = readHar(archive(...Array.from({ length: 40 }, () => entry(404, '{}')))) ?? [];
  for (const one of all) watcher.take(one);
  await watcher.conclude();
  expect(watcher.seen.get('errors')?.judged).toBe(10);
  expect(watcher.unjudged.get('left out by --sample')).toBe(30);
});

it('takes nothing else for an archive, and leaves out what has no answer', () => {
  for (const text of ['no JSON', '[]', '{"log":1}']) expect(readHar(text)).toBeNull();
  expect(readHar(archive({ request: {} }, 5, entry(200, '{}')))).toHaveLength(1);
});
