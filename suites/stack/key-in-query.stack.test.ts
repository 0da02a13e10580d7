import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { SimulatorControl } from '../../simulators/control/client.ts';
import { startStack } from './stack.ts';

/** A key in an address is where keys leak from: through logs, errors, referrers, rows. */
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-query-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that stands in the files of a folder, as bytes in a string. */
function bytesUnder(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'latin1');
  return readdirSync(path)
    .map((name) => bytesUnder(join(path, name)))
    .join('\n');
}

const hello = { contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] };

/** The whole answer to a request on compat path B, head included; the connection's error when there is none. */
async function answerTo(baseUrl: string, path: string, body: unknown = hello): Promise<string> {
  return await new Promise((resolve) => {
    const sent = request(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sent.on('response', async (response) => {
      const head = `${response.statusCode} ${JSON.stringify(response.rawHeaders)}`;
      resolve(`${head}\n${await text(response).catch(String)}`);
    });
    sent.on('error', (error) => resolve(String(error)));
    sent.end(JSON.stringify(body));
  });
}

it('a key used as ?key= stands in no log line, no answer, no database file and no request to an upstream', async () => {
  let log = '';
  const dataDir = join(folder, 'data');
  const stack = await startStack({ seed: 1, lanes: 0, dataDir, onLog: (words) => (log += words) });
  const control = new SimulatorControl(stack.profile.upstream?.control ?? '');
  const upstream = control.tenant('default');
  const { K1 = '', expired = '', disabled = '' } = stack.profile.keys;
  const unknown = `${K1}x`;
  const on = '/compat-b/v1beta/models/gamma-3-pro';
  const answers: string[] = [];
  let seen = '';
  try {
    const ask = async (path: string, body?: unknown): Promise<string> => {
      const answer = await answerTo(stack.baseUrl, path, body);
      answers.push(answer);
      return answer;
    };
    await upstream.script({ replies: [{ text: 'Hello.' }, { deltas: ['He', 'llo.'] }, { status: 500 }] });
    expect(await ask(`${on}:generateContent?key=${K1}`)).toMatch(/^200 /);
    expect(await ask(`${on}:streamGenerateContent?alt=sse&key=${K1}`)).toMatch(/^200 /);
    expect(await ask(`${on}:generateContent?key=${K1}`)).toMatch(/^502 /);
    for (const key of [unknown, expired, disabled, `${K1}&key=${K1}`])
      expect(await ask(`${on}:generateContent?key=${key}`)).toMatch(/^401 /);
    expect(await ask(`${on}:generateContent?key=${K1}`, { contents: K1.length })).toMatch(/^400 /);
    expect(await ask(`/compat-b/v1/models/gamma-3-pro:generateContent?key=${K1}`)).toMatch(/^404 /);
    expect(await ask(`/nowhere?key=${K1}`)).toMatch(/^404 /);
    expect(await ask(`/api/v1/chat/completions?key=${K1}`)).toMatch(/^401 /);
    const { entries } = await upstream.journal();
    expect(entries.length).toBeGreaterThan(2);
    seen = JSON.stringify(
      entries.map(({ request: { body_base64: body, ...head } }) => [
        head,
        Buffer.from(body, 'base64').toString(),
      ]),
    );
  } finally {
    await control.close();
    await stack.stop();
  }
  const stored = bytesUnder(dataDir);
  // What was searched is what was meant: the calls are on record and in the log.
  expect(stored).toContain('gamma-3-pro');
  expect(log).toContain('invalid_api_key');
  for (const secret of [K1, expired, disabled])
    for (const place of [log, stored, seen, ...answers]) expect(place.includes(secret)).toBe(false);
}, 120_000);
