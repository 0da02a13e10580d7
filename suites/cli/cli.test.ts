import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readReport, runCli, startCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `work` with a server on loopback that answers everything the same way. */
async function withServer<T>(answer: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const always =
  (status: number, body: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

describe('run against a server that is not a gateway', () => {
  it('fails a server that answers every request with a model list: exit 1, one clear sentence', async () => {
    const out = join(folder, 'ok');
    const outcome = await withServer(always(200, '{"data":[{"id":"alpha-5-2"}]}'), (url) =>
      runCli(['run', '--base-url', url, '--key', 'sk-app-x', '--seed', '1', '--out', out]),
    );
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/^Not conforming: \d+ of \d+ judged checks failed, on \d+ requirements/m);
    const { checks } = readReport(out);
    const judged = checks.filter((check) => check.verdict !== 'untestable');
    // Only the list itself is valid, and the rules for all exchanges that it meets.
    const passed = judged.filter((check) => check.verdict === 'pass').map(({ id }) => id);
    expect(passed).toEqual(['ep.models.list', 'every.error.words', 'every.models.list']);
  }, 120_000);

  it('requests a valid key for a server that always answers 401: exit 2', async () => {
    const body =
      '{"error":{"type":"auth_error","code":"invalid_api_key","message":"no","channel":null,"param":null}}';
    const outcome = await withServer(always(401, body), (url) =>
      runCli(['run', '--base-url', url, '--key', 'sk-app-x', '--out', folder]),
    );
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/refuses the key \(HTTP 401, invalid_api_key\): give a valid one/);
    expect(outcome.stderr).not.toContain('sk-app-x');
  });

  it('reports a closed port as unreachable, also in the files that CI keeps: exit 3', async () => {
    const closed = await withServer(always(200, '{}'), (url) => Promise.resolve(url));
    const outcome = await runCli(['run', '--base-url', closed, '--key', 'sk-app-x', '--out', folder]);
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toMatch(/nothing to judge at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    const { headline, exit_code: code } = readReport(folder);
    expect([code, headline]).toEqual([
      3,
      expect.stringMatching(/^No verdict after 0 checks: nothing to judge/),
    ]);
  });

  it('reports a web server as a different API: exit 3', async () => {
    const outcome = await withServer(always(404, '<h1>Not Found</h1>'), (url) =>
      runCli(['run', '--base-url', url, '--key', 'k', '--out', folder]),
    );
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain('is a different API');
  });
});

describe('a command line error', () => {
  const urls = ['--url', '--provider-url', '--control-url'].flatMap((name) => [name, 'http://127.0.0.1:1']);
  it.each([
    ['a command that there is not', ['rnu'], 'Did you mean run?'],
    ['an option that there is not', ['run', '--sed', '1'], 'Did you mean --seed?'],
    ['an area that there is not', ['run', '--reference', '--only', 'CHTA'], 'did you mean CHAT?'],
    [
      'a bound that there is not, before anybody is asked',
      ['run', '--base-url', 'http://127.0.0.1:9', '--key', 'sk-app-x', '--budget', 'ussd=5'],
      'did you mean usd?',
    ],
    ['a seed that is no number', ['run', '--seed', 'x'], 'Give a whole number'],
    ['no target at all', ['run'], 'no target: give --target, --base-url or --reference'],
    ['a target beside the reference', ['run', '--reference', '--target', 'x.yaml'], 'not both'],
    ['an address without a key', ['run', '--base-url', 'http://127.0.0.1:1'], 'needs a key'],
    ['an address that is none', ['run', '--base-url', 'gw', '--key', 'k'], 'is not an http(s) address'],
    ['a profile that is not there', ['run', '--target', 'none.yaml'], 'there is no profile none.yaml'],
    ['a webhook host without a port', ['up', '--webhook-host', '127.0.0.1'], 'is not a host with a port'],
    [
      'a gateway without an address',
      ['hooks', '--to', 'gateway-1'],
      '--to gateway-1 is not an http(s) address',
    ],
    [
      'a receiver for others without a token',
      ['inbox', '--base-url', 'https://receiver:8443', '--dir', tmpdir()],
      '--control-listen needs GATECHECK_CONTROL_TOKEN',
    ],
    [
      'a broken listener that is no address',
      ['deployment', ...urls, '--broken-listener', 'refused'],
      '--broken-listener refused: give a kind and an origin',
    ],
    [
      'half a receiver',
      ['deployment', ...urls, '--events-url', 'https://receiver:8443'],
      '--events-url, --events-control-url and --events-ca belong together',
    ],
    ['a requirement that there is not', ['explain', 'CHAT-99'], 'did you mean CHAT-'],
    [
      'a report that there is not',
      ['diff', 'none.json', 'none.json'],
      'OLD none.json: there is no such file',
    ],
    ['a folder in place of a report', ['merge', tmpdir()], ': this is a folder'],
  ])('is answered with the right word: %s, exit 2', async (_, args, sentence) => {
    const outcome = await runCli(args, { GATECHECK_KEY: '' });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(sentence);
  });

  it('is not reported for --help: exit 0', async () => {
    const outcome = await runCli(['run', '--help']);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('--base-url <url>');
  });
});

describe('the lookup commands', () => {
  it('list every check, and the same checks as JSON', async () => {
    const [text, json] = await Promise.all([runCli(['list']), runCli(['list', '--json'])]);
    const checks = JSON.parse(json.stdout) as { id: string }[];
    expect(text.stdout).toContain(`${checks.length} checks`);
    for (const { id } of checks) expect(text.stdout).toContain(id);
  });

  it('exit with 0 when the reader closes the pipe', async () => {
    const { child, outcome } = startCli(['list', '--json']);
    child.stdout?.destroy();
    const { code, stderr } = await outcome;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('explain a requirement with its checks, its mutants and its heading', async () => {
    const { stdout } = await runCli(['explain', 'CHAT-012']);
    expect(stdout).toContain('Chat request');
    expect(stdout).toContain('chat.field.temperature');
    expect(stdout).toContain('chat.temperature-clamped');
  });

  it('explain the rules of an area, and a reading with the rules that follow it', async () => {
    const [area, reading] = await Promise.all(['chat', 'b-35'].map((id) => runCli(['explain', id])));
    expect(area?.stdout).toMatch(/^CHAT-001 \(MUST\)[\s\S]*\nCHAT-012 \(MUST/);
    expect(reading?.stdout).toMatch(/^B-35 [\s\S]*middle of a stream[\s\S]*\n {2}SSE-016: /);
  });

  it('account for all 589 rows of the register', async () => {
    const { stdout } = await runCli(['coverage', '--json']);
    const rows = JSON.parse(stdout) as { id: string; checks: string[]; waits_for: string | null }[];
    expect(rows).toHaveLength(589);
    for (const row of rows) expect(row.checks.length > 0 || row.waits_for !== null, row.id).toBe(true);
  });
});
