import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { makeAuthority } from '../receiver/authority.ts';
import { createSampleServer, SampleReceiver } from '../receiver-judge/testing/sample-receiver.ts';
import { startChild } from '../stack/child.ts';
import { receiverCommand } from './receiver.ts';
import { type CliOutcome, readReport, runCli } from './testing/run-cli.ts';

const secret = `whsec_${Buffer.from('a secret that nobody may see, 32').toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-receiver-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listening(server: Server | TlsServer, scheme = 'http'): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Judges a receiver as a user would, with the secret in the environment. Searches all output for the secret. */
async function judge(url: string, ...flags: string[]): Promise<CliOutcome> {
  const outcome = await runCli(['receiver', url, ...flags], { GATECHECK_WEBHOOK_SECRET: secret });
  for (const part of [secret, secret.slice('whsec_'.length), 'a secret that nobody'])
    expect(outcome.stdout + outcome.stderr).not.toContain(part);
  return outcome;
}

it('finds no fault in the reference receiver, in real time, with exit code 0', async () => {
  const main = fileURLToPath(new URL('../../simulators/main.ts', import.meta.url));
  const env = { ...process.env, GATECHECK_RECEIVER_SECRET: secret };
  const child = await startChild({ name: 'the simulators', args: [main, '--exit-with-stdin'], env });
  onTestFinished(() => child.stop());
  const url = String(child.ready.receiver_url);
  for (const flags of [[], ['--effects', `${url}/processed`]]) {
    const { code, stdout } = await judge(url, ...flags);
    expect(stdout).toContain('The receiver conforms: 16 checks judged, none failed.');
    expect(code).toBe(0);
  }
}, 60_000);

it('explains the faults of a broken receiver and how to repeat them, and leaves reports, with exit code 1', async () => {
  const flawed = new SampleReceiver({ secret, now: () => Date.now(), defect: 'no signature check' });
  const url = await listening(createSampleServer(flawed));
  const out = join(folder, 'broken');
  const flags = ['--only', 'fresh,forged,altered', '--seed', '5', '--out', out];
  const { code, stdout } = await judge(`${url}/hooks`, ...flags);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^pass {3}receiver\.fresh .*: HTTP 200$/m);
  expect(stdout).toMatch(/^FAIL {3}receiver\.forged .*: HTTP 200$/m);
  expect(stdout).toMatch(
    /^open {3}receiver\.altered .*: not judged: receiver\.forged failed, which explains it$/m,
  );
  expect(stdout).toContain('expected    4xx, and no effect, for an event signed with another secret');
  expect(stdout).toContain('actual      HTTP 200 {"received":true,"duplicate":false}');
  expect(stdout).toContain(`curl        curl -sS -i -X POST '${url}/hooks' `);
  const again = `npx gatecheck receiver ${url}/hooks --secret-env GATECHECK_WEBHOOK_SECRET --only receiver.forged --seed 5`;
  expect(stdout).toContain(`replay      ${again}`);
  expect(readReport(out)).toMatchObject({ exit_code: 1, seed: 5, summary: { failed: 1, passed: 1 } });
  const written = ['report.json', 'junit.xml', 'report.html'].map((name) =>
    readFileSync(join(out, name), 'utf8'),
  );
  expect(written.join()).not.toContain(secret.slice('whsec_'.length));
  expect(written[1]).toContain('type="other-secret"');
});

it('finds no fault in a plain handler around a library, requests --effects, and exits with code 3', async () => {
  const library = new Webhook(secret);
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    try {
      library.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      return void response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    }
    response.end();
  });
  const { code, stdout } = await judge(await listening(server));
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'nothing failed in 14 checks, but 2 could not be judged; what is missing: --effects URL.',
  );
  expect(stdout).toMatch(/^open {3}receiver\.duplicate .*: HTTP 200 \(3\); give --effects URL$/m);
  expect(stdout).toMatch(/^warn {3}receiver\.timestamp /m);
  expect(code).toBe(3);
}, 60_000);

it('judges over TLS with the given certificates, and reports when they are missing', async () => {
  const authority = await makeAuthority(Date.now());
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.cert);
  const sample = new SampleReceiver({ secret, now: () => Date.now() });
  const tls = createTlsServer(await authority.issue(['127.0.0.1']));
  tls.on('request', createSampleServer(sample).listeners('request')[0] as () => void);
  const url = await listening(tls, 'https');
  const [trusting, distrusting] = await Promise.all([
    judge(url, '--only', 'fresh', '--ca', ca),
    judge(url, '--only', 'fresh'),
  ]);
  expect(trusting).toMatchObject({ code: 0, stderr: '' });
  expect(distrusting.stderr).toContain('name a file with it as --ca');
  expect(distrusting.code).toBe(3);
});

const defaults = { secret, secretEnv: 'GATECHECK_NO_SUCH_VARIABLE' };

it('reports an unreachable receiver without judging it', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => lines.mockRestore());
  await expect(receiverCommand('http://127.0.0.1:9/hooks', defaults)).rejects.toMatchObject({
    name: 'UnreachableError',
    message: expect.stringMatching(/127.0.0.1:9\/hooks cannot be reached: nothing listens .*ECONNREFUSED/),
  });
});

it.each([
  ['an address that is none', 'hooks', defaults, 'the receiver: hooks is not an http(s) address'],
  ['a password in the address', 'http://a:b@x', defaults, 'remove user and password'],
  [
    'no secret',
    'http://x',
    { secretEnv: 'GATECHECK_NO_SUCH_VARIABLE' },
    'a secret is needed: --secret, or the',
  ],
  [
    'a secret of another form',
    'http://x',
    { ...defaults, secret: 'my-own' },
    'the secret (not shown here) must be whsec_ followed by base64',
  ],
  [
    'effects that are no address',
    'http://x',
    { ...defaults, effects: 'x' },
    '--effects: x is not an http(s)',
  ],
  [
    'a check that there is not',
    'http://x',
    { ...defaults, only: 'receiver.forgd' },
    'did you mean receiver.forged?',
  ],
  ['certificates that are not there', 'http://x', { ...defaults, ca: '/nowhere.pem' }, 'cannot read --ca'],
])('refuses %s', async (_, url, options, message) => {
  const refusal = expect(receiverCommand(url, options)).rejects;
  await refusal.toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) });
});
