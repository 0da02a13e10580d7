import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { type Stack, startStack } from './stack.ts';
import { type Canaries, type CanaryCall, canaryCalls, drawCanary } from './testing/canaries.ts';
import { answerTo } from './testing/canary-answer.ts';
import { loseStore, provokeUpstreams } from './testing/provoke-leaks.ts';
import { leaksIn } from './testing/secret-forms.ts';
import { bytesUnder, rowsIn } from './testing/stored-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All secrets that the stack starts with: keys by role, tokens, and the pepper of the hashes. */
function secretsOf({ profile, profilePath }: Stack): Canaries {
  const config = JSON.parse(readFileSync(join(dirname(profilePath), 'gateway.json'), 'utf8'));
  return {
    ...Object.fromEntries(
      [profile.keys, ...profile.tenants.map(({ keys }) => keys)].flatMap((keys, tenant) =>
        Object.entries(keys).map(([role, value]) => [`key ${role} of tenant ${tenant}`, value ?? '']),
      ),
    ),
    'upstream key': profile.upstream?.keys[0] ?? '',
    'hook token': profile.hooks.usage?.token ?? '',
    'admin token': profile.admin?.token ?? '',
    'key pepper': config.key_pepper,
    ...Object.fromEntries(
      [profile.webhooks.secret, ...profile.tenants.map((tenant) => tenant.webhook_secret)].map(
        (secret, tenant) => [`webhook secret of tenant ${tenant}`, secret?.replace('whsec_', '') ?? ''],
      ),
    ),
  };
}

const admin = (stack: Stack): Record<string, string> => ({
  authorization: `Bearer ${stack.profile.admin?.token}`,
});

/**
 * Creates keys through the admin API and the accounts hook, and calls with each.
 * @returns the secrets; only the answers that created them may show them.
 */
async function makeKeys(stack: Stack, ask: (call: CanaryCall) => Promise<string>): Promise<Canaries> {
  const { profile, baseUrl } = stack;
  const made: Canaries = {};
  const send = async (path: string, headers: Record<string, string>, body: object): Promise<string> => {
    const answer = await answerTo(baseUrl, { as: path, path, headers, body });
    expect(answer).toMatch(/^201 /);
    return answer;
  };
  const secretsIn = (answer: string): string[] => answer.match(/sk-app-[^"]+/g) ?? [];
  const keys = [{}, { disabled: true }, { allow: ['203.0.113.0/24'] }];
  const hook = { authorization: `Bearer ${profile.hooks.accounts?.token}` };
  const account = await send('/hooks/accounts', hook, { like: profile.keys.K1, credits: '1', keys });
  const own = '/api/admin/accounts/default/keys';
  const fields = { user_id: 'default-u1', app_id: 'default-app' };
  const created: string[] = [];
  for (const more of [{}, { disabled: true }])
    created.push(await send(own, admin(stack), { ...fields, ...more }));
  for (const answer of [account, ...created])
    for (const secret of secretsIn(answer)) made[`created key ${Object.keys(made).length}`] = secret;
  expect(Object.keys(made)).toHaveLength(5);
  for (const secret of Object.values(made)) {
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'Say hello.' }] };
    const headers = { authorization: `Bearer ${secret}` };
    await ask({ as: 'a created key', path: '/api/v1/chat/completions', headers, body });
  }
  return made;
}

const views = [
  'accounts',
  'accounts/default',
  'accounts/default/users',
  'accounts/default/apps',
  'accounts/default/keys',
  'accounts/default/webhook-secrets',
  'accounts/default/balance',
  'accounts/default/ledger',
  'usage',
  'prices',
  'channels',
  'webhooks',
  'slots',
  'openapi.json',
].map((path) => `/api/admin/${path}`);

/** The report of a run with many failures, because they quote the most. The profile swaps roles of keys. */
async function reportOf(stack: Stack): Promise<{ files: Buffer; printed: string }> {
  const target = join(folder, 'confused.yaml');
  const profile = parse(readFileSync(stack.profilePath, 'utf8'));
  for (const { keys } of [profile, ...profile.tenants]) {
    for (const [one, other] of [
      ['disabled', 'unexpired'],
      ['expired', 'ip_allowed'],
      ['ip_first', 'ip_before'],
      ['K4', 'ip_restricted'],
    ] as const)
      [keys[one], keys[other]] = [keys[other], keys[one]];
  }
  // The secret that the profile declares belongs to another tenant, so every signature fails.
  const [tenant] = profile.tenants;
  [tenant.webhook_secret, profile.webhooks.secret] = [profile.webhooks.secret, tenant.webhook_secret];
  writeFileSync(target, stringify(profile), { mode: 0o600 });
  const out = join(folder, 'report');
  const run = await runCli([
    'run',
    '--target',
    target,
    '--only',
    'auth.key,auth.ip,faces.keys,hook.end.signed',
    '--out',
    out,
    '--seed',
    '1',
  ]);
  const { checks } = readReport(out);
  expect(checks.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(3);
  return { files: bytesUnder(out), printed: run.stdout + run.stderr };
}

it('no secret appears in any form in the log, the database, an answer, an admin view or a report', async () => {
  let printed = '';
  const dataDir = join(folder, 'data');
  const stack = await startStack({ seed: 1, tenants: 1, dataDir, onLog: (words) => (printed += words) });
  const secrets = secretsOf(stack);
  const answers: Record<string, string> = {};
  const ask = async (call: CanaryCall): Promise<string> => {
    const answer = await answerTo(stack.baseUrl, call);
    answers[`answer ${Object.keys(answers).length} to ${call.as}`] = answer;
    return answer;
  };
  let report: { files: Buffer; printed: string };
  try {
    const draw = (as: string): string => {
      const canary = drawCanary();
      secrets[as] = canary;
      return canary;
    };
    const { K1: k1 } = stack.profile.keys;
    for (const call of canaryCalls(k1, stack.profile.admin?.token ?? '', draw)) await ask(call);
    for (const [as, secret] of Object.entries(secrets)) {
      const headers = { authorization: `Bearer ${secret}` };
      await ask({ as: `${as} as a bearer token`, method: 'GET', path: '/api/v1/models', headers });
      await ask({ as: `${as} at an admin path`, method: 'GET', path: '/api/admin/nothing', headers });
    }
    Object.assign(secrets, await makeKeys(stack, ask));
    await provokeUpstreams(stack, ask, draw('a prompt that an upstream repeats'));
    await loseStore(stack, ask);
    for (const path of views)
      expect(await ask({ as: path, method: 'GET', path, headers: admin(stack) }), path).toMatch(/^200 /);
    report = await reportOf(stack);
  } finally {
    await stack.stop();
  }
  const rows = await rowsIn(dataDir);
  const files = bytesUnder(dataDir);
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(40);
  // The search is meaningful only if log, database and report contain calls.
  expect(printed).toContain('invalid_api_key');
  for (const place of [rows, files.toString('latin1')]) expect(place).toContain('gamma-3-pro');
  expect(report.files.toString('utf8')).toContain('sk_disabled');
  expect(report.files.toString('utf8')).toContain('webhook-signature');
  const places = {
    'what the gateway printed': printed,
    'a row': rows,
    'a database file': files,
    'a report': report.files,
    'what the run printed': report.printed,
    ...answers,
  };
  expect(leaksIn(places, secrets)).toEqual([]);
}, 300_000);
