import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { SimulatorControl } from '../../simulators/control/client.ts';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { callHook } from '../engine/call-hook.ts';
import { type Stack, startStack } from './stack.ts';
import { type Canaries, type CanaryCall, canaryCalls, drawCanary } from './testing/canaries.ts';
import { leaksIn } from './testing/secret-forms.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The whole answer to a request, head included; the connection's error when there is none. */
async function answerTo(baseUrl: string, call: CanaryCall): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return await new Promise((resolve) => {
    if (call.raw !== undefined) {
      const socket = connect(Number(port), hostname, () => socket.write(call.raw ?? ''));
      socket.setTimeout(5_000, () => socket.destroy());
      socket.on('error', (error) => resolve(String(error)));
      text(socket).then(resolve, () => {});
      return;
    }
    const sent = request({
      host: hostname,
      port,
      path: call.path ?? '/',
      method: call.method ?? 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
    });
    sent.on('response', async (response) => {
      const head = `${response.statusCode} ${JSON.stringify(response.rawHeaders)}`;
      resolve(`${head}\n${await text(response).catch(String)}`);
    });
    sent.on('error', (error) => resolve(String(error)));
    sent.end(
      call.body === undefined ? '' : typeof call.body === 'string' ? call.body : JSON.stringify(call.body),
    );
  });
}

/** Everything that stands in the files of a folder. */
function bytesUnder(path: string): Buffer {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

/** Every row of every table, unpacked as PostgreSQL itself reads it. */
async function rowsIn(dataDir: string): Promise<string> {
  const db = await PGlite.create(join(dataDir, 'postgres'));
  const { rows: tables } = await db.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    dumps.push(...rows.map(({ row }) => row));
  }
  await db.close();
  return dumps.join('\n');
}

/** All secrets that the stack began with: the roles of the keys, the tokens, what the hashes are peppered with. */
function secretsOf({ profile, profilePath }: Stack): Canaries {
  const config = JSON.parse(readFileSync(join(dirname(profilePath), 'gateway.yaml'), 'utf8'));
  return {
    ...Object.fromEntries(
      [profile.keys, ...profile.lanes.map(({ keys }) => keys)].flatMap((keys, tenant) =>
        Object.entries(keys).map(([role, value]) => [`key ${role} of lane ${tenant}`, value ?? '']),
      ),
    ),
    'upstream key': profile.upstream?.keys[0] ?? '',
    'hook token': profile.hooks.usage?.token ?? '',
    'admin token': profile.admin?.token ?? '',
    'key pepper': config.key_pepper,
    ...Object.fromEntries(
      [profile.webhooks.secret, ...profile.lanes.map((tenant) => tenant.webhook_secret)].map(
        (secret, tenant) => [`webhook secret of lane ${tenant}`, secret?.replace('whsec_', '') ?? ''],
      ),
    ),
  };
}

const admin = (stack: Stack): Record<string, string> => ({
  authorization: `Bearer ${stack.profile.admin?.token}`,
});

/** Makes keys as administrators and the suites do, uses them in every state, and returns what the only answers that may hold them said. */
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

/** More than any cool-down of a channel, ms. */
const recoveryMs = 600_000;

/** Calls whose upstream tells its own key, and what it was asked, in all that it says. */
async function provokeUpstreams(
  stack: Stack,
  ask: (call: CanaryCall) => Promise<string>,
  prompt: string,
): Promise<void> {
  const { upstream, hooks, keys } = stack.profile;
  const control = new SimulatorControl(upstream?.control ?? '');
  const said = `Incorrect API key provided: ${upstream?.keys[0]}, for ${prompt}`;
  const body = { error: { message: said, type: said, code: 'invalid_api_key', param: said } };
  const headers = {
    'x-debug-key': upstream?.keys[0] ?? '',
    'www-authenticate': `Bearer ${upstream?.keys[0]}`,
  };
  const streamed = { ...headers, 'content-type': 'text/event-stream' };
  const replies = [
    ...[400, 401, 403, 404, 429, 500, 503].map((status) => ({ status, body, headers })),
    { status: 500, body: said, headers },
    { status: 200, body: said, headers },
    { status: 200, body: `data: ${JSON.stringify(body)}\n\n`, headers: streamed },
    {
      status: 200,
      body: `event: error\ndata: ${JSON.stringify({ type: 'error', ...body })}\n\n`,
      headers: streamed,
    },
  ];
  const outcomes: string[] = [];
  for (const reply of replies) {
    await control.tenant('default').script({ marker: 'Fail', replies: [reply] });
    for (const model of ['delta-3', 'beta-large-4-5', 'gamma-3-pro']) {
      for (const stream of [false, true]) {
        const answer = await ask({
          as: `a call whose upstream answers ${reply.status}`,
          path: '/api/v1/chat/completions',
          headers: { authorization: `Bearer ${keys.K1}` },
          body: { model, stream, messages: [{ role: 'user', content: `Fail: ${prompt}` }] },
        });
        outcomes.push(/"code":"(\w+)"/.exec(answer)?.[1] ?? answer.slice(0, 3));
        await callHook({
          name: 'clock',
          url: '',
          token: '',
          ...hooks.clock,
          body: { advance_ms: recoveryMs },
        });
      }
    }
  }
  expect(outcomes.filter((code) => code === 'upstream_error').length).toBeGreaterThan(40);
  await control.close();
}

/** A call whose usage cannot be kept, and one that cannot be let in. */
async function loseStore({ profile }: Stack, ask: (call: CanaryCall) => Promise<string>): Promise<void> {
  const control = new SimulatorControl(profile.upstream?.control ?? '');
  const upstream = control.tenant('default');
  const store = (stopped: boolean) =>
    callHook({ name: 'store', url: '', token: '', ...profile.hooks.store, body: { stopped } });
  await upstream.script({ marker: 'Late', replies: [{ text: 'Late.', gates: ['head'] }] });
  const call = {
    as: 'a call without a database',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${profile.keys.K1}` },
    body: { model: 'delta-3', messages: [{ role: 'user', content: 'Late.' }] },
  };
  const late = ask(call);
  await upstream.journal({ waiting: 1 });
  await store(true);
  await upstream.release();
  for (const answer of [await late, await ask(call)]) expect(answer).toContain('internal_error');
  await store(false);
  await control.close();
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

/** A run that fails in every way, so that it has much to show: each key of the profile stands for another one. */
async function reportOf(stack: Stack): Promise<{ files: Buffer; printed: string }> {
  const target = join(folder, 'confused.yaml');
  const profile = parse(readFileSync(stack.profilePath, 'utf8'));
  for (const { keys } of [profile, ...profile.lanes]) {
    for (const [one, other] of [
      ['disabled', 'unexpired'],
      ['expired', 'ip_allowed'],
      ['ip_first', 'ip_before'],
      ['K4', 'ip_restricted'],
    ] as const)
      [keys[one], keys[other]] = [keys[other], keys[one]];
  }
  // What events are signed with is known, and of somebody else.
  const [tenant] = profile.lanes;
  [tenant.webhook_secret, profile.webhooks.secret] = [profile.webhooks.secret, tenant.webhook_secret];
  writeFileSync(target, stringify(profile), { mode: 0o600 });
  const out = join(folder, 'report');
  const run = await runCli([
    'run',
    '--target',
    target,
    '--only',
    'AUTH,HOOK-007',
    '--out',
    out,
    '--seed',
    '1',
  ]);
  const { checks } = readReport(out);
  expect(checks.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(3);
  return { files: bytesUnder(out), printed: run.stdout + run.stderr };
}

it('no secret stands in the log, the database, an answer, an administrator’s view or a report, in any form', async () => {
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
  // What was searched is what was meant: calls are in the log, on record and in the report.
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
}, 120_000);
