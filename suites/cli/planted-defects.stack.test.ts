import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { listenOnLoopback } from '../process/loopback.ts';
import { type CliOutcome, readReport, runCli } from './testing/run-cli.ts';
import { createSmallGateway, type Defect, defects, smallGatewayKey } from './testing/small-gateway.ts';

/**
 * A small gateway with six defects: one run reports a cause for each, and its terminal output shows the request to repeat.
 */

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Checks that apply to the small gateway. */
const only = [
  ...['AUTH', 'EP', 'SSE-009', 'resp.shape', 'resp.usage.covers-messages', 'sse.shape.every-model'],
  ...[
    'sse.stream-flag',
    ...['temperature', 'metadata', 'stop', 'max-tokens'].map((name) => `chat.field.${name}`),
  ],
].join(',');

async function startGateway(...having: Parameters<typeof createSmallGateway>): Promise<string> {
  const server = createSmallGateway(...having);
  const port = await listenOnLoopback(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

const judge = (url: string, out: string): Promise<CliOutcome> =>
  runCli(['run', '--base-url', url, '--only', only, '--seed', '1', '--out', join(folder, out)], {
    GATECHECK_KEY: smallGatewayKey,
  });

/** For each defect: the rule and aspect of its cause, and the lines of its card. */
const cards: Readonly<
  Record<Defect, { readonly cause: string } & Readonly<Record<string, string | RegExp>>>
> = {
  'temperature up to 2.1': {
    cause: 'CHAT-012 range-outside',
    request: /^POST \S+\/api\/v1\/chat\/completions -> 200/,
    value: /^temperature = 2\.0+1 /,
    expected: '400 invalid_param',
    actual: /^HTTP 200: /,
  },
  'metadata refused without its name': {
    cause: 'CHAT-049 param',
    request: /^POST \S+\/api\/v1\/chat\/completions -> 400/,
    value: /^metadata = \S+/,
    expected: 'param naming metadata',
    actual: 'param null',
  },
  'total_tokens is one short': {
    cause: 'RESP-020 total-is-sum',
    request: /^POST \S+\/api\/v1\/chat\/completions -> 200/,
    expected: 'total_tokens = prompt_tokens + completion_tokens',
    actual: /^\{"prompt_tokens":\d+,"completion_tokens":\d+,"total_tokens":\d+\}$/,
  },
  'streams without usage': {
    cause: 'SSE-009 usage-on-final-chunk',
    request: /^POST \S+\/api\/v1\/chat\/completions -> 200/,
    expected: 'usage on the last chunk before [DONE]',
    actual: /"finish_reason":"stop"\}\]\}$/,
  },
  'a missing key is forbidden': {
    cause: 'ERR-008 triple',
    request: /^[A-Z]+ \S+\/api\/\S+ -> 403/,
    expected: 'invalid_api_key with 401 auth_error',
    actual: 'invalid_api_key with 403 auth_error',
  },
  'unknown paths are a page': {
    cause: 'ERR-002 error-content-type',
    request: /^[A-Z]+ \S+\/\S+ -> 404/,
    expected: 'content type application/json',
    actual: 'HTTP 404 with content type text/html: <h1>Not Found</h1>',
  },
};

it('the small gateway passes without defects', async () => {
  const { code, stdout } = await judge(await startGateway([]), 'clean');
  expect(stdout).toMatch(/^Conforming in what was judged: /m);
  expect(code).toBe(exitCodes.conforming);
}, 60_000);

it('the small gateway gets equal verdicts with its own ids and prefix and with the specified ones', async () => {
  const env = { GATECHECK_KEY: smallGatewayKey };
  const verdictsOf = async (name: string, url: string): Promise<object> => {
    const [target, out] = [join(folder, `${name}.yaml`), join(folder, name)];
    const { code } = await runCli(['init', '--base-url', url, '--out', target], env);
    expect(code).toBe(exitCodes.conforming);
    await runCli(['run', '--target', target, '--size', 'smoke', '--seed', '1', '--out', out], env);
    return Object.fromEntries(readReport(out).checks.map(({ id, verdict }) => [id, verdict]));
  };
  const specified = await verdictsOf('specified', await startGateway(['streams without usage']));
  const own = { prefix: '/v1', models: ['acme-gpt', 'acme-mini'] };
  expect(await verdictsOf('own', await startGateway(['streams without usage'], own))).toEqual(specified);
  expect(Object.values(specified)).toContain('fail');
  expect(Object.values(specified).filter((verdict) => verdict === 'pass').length).toBeGreaterThan(60);
}, 180_000);

describe('with six defects', () => {
  let outcome: CliOutcome;
  let blocks: string[];
  beforeAll(async () => {
    outcome = await judge(await startGateway(defects), 'planted');
    blocks = outcome.stdout.split('\n\n').filter((block) => block.startsWith('FAIL  '));
  }, 180_000);

  /** The lines of a card, each by its label. */
  function linesOf(defect: Defect): Readonly<Record<string, string>> {
    const [requirement = '', aspect] = cards[defect].cause.split(' ');
    const found = blocks.filter((block) => block.startsWith(`FAIL  ${requirement}  `));
    expect(found).toHaveLength(1);
    const lines = [...(found[0] ?? '').matchAll(/^ {2}([a-z]+) +(.*)$/gm)];
    const byLabel = Object.fromEntries(lines.map(([, label, text]) => [label, text]));
    expect(byLabel.aspect).toBe(aspect);
    return byLabel;
  }

  it('the run fails with six causes', () => {
    expect(outcome.code).toBe(exitCodes.failures);
    expect(outcome.stdout).toMatch(/^6 causes in \d+ failed checks: /m);
    expect(blocks).toHaveLength(6);
  });

  it.each(defects)('the terminal shows each detail in one line: %s', (defect) => {
    const { cause: _, ...lines } = cards[defect];
    const shown = linesOf(defect);
    for (const [label, text] of Object.entries(lines))
      if (typeof text === 'string') expect(shown[label], label).toBe(text);
      else expect(shown[label], label).toMatch(text);
  });

  it.each(defects)('the request on the card reproduces the defect: %s', async (defect) => {
    const { curl = '', request = '' } = linesOf(defect);
    const [, status] = /-> (\d+)/.exec(request) ?? [];
    const env = { ...process.env, GATECHECK_KEY: smallGatewayKey };
    const { stdout } = await promisify(execFile)('bash', ['-c', curl], { env });
    expect(stdout).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('summary.md reports the same, and groups untestable checks by the missing fact', () => {
    const text = readFileSync(join(folder, 'planted/summary.md'), 'utf8');
    expect(text).toContain('### 6 causes in');
    expect(text).toMatch(
      /^- request: `POST \S+\/api\/v1\/chat\/completions` → 200\n- value: `temperature = 2\.0+1 .*`\n- expected: .*\n- actual: /m,
    );
    expect(text).toMatch(/^- declare `upstream\.control` to run \d+ more checks?/m);
  });
});
