import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { runGateway } from '../gateway-process.ts';
import { server, storeKinds } from '../store/test-stores.ts';
import { testPrices } from '../stored-gateway.ts';
import { otherKey, testConfig, testKey } from '../test-gateway.ts';
import { read } from '../wire.ts';
import { percentile } from './latencies.ts';
import { startShortUpstream } from './short-upstream.ts';
import { type WorstBody, worstBodies } from './worst-bodies.ts';

// `node gateway/testing/load/second-key.ts [--seconds 10] [--store embedded] [title]`: compares the latency of one key's
// small calls with and without another key that sends the worst bodies at its cap. Exits with 1 if p99 grows tenfold.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '10' }, store: { type: 'string', default: 'embedded' } },
});
const forMs = Number(values.seconds) * 1000;
const mostTimes = 10;
const cap = 3;
/** Open-loop calls of the second key. */
const everyMs = 50;
/** Time until the worst bodies take effect. */
const settleMs = 500;

const fresh = values.store === 'postgres' ? server.fresh : storeKinds[0]?.fresh;
if (fresh === undefined || (values.store === 'postgres' && server.isMissing) || !(forMs > 0)) {
  process.stderr.write(
    'seconds is a number; postgres needs .ci/postgres run node gateway/testing/load/second-key.ts …\n',
  );
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'gateway-second-key-'));
const upstream = await startShortUpstream();
const { place, remove } = await fresh();
const { chat_models, accounts, channels } = testConfig(upstream.url);
// A high cap, so that calls delayed by the worst bodies are late but not rejected.
for (const { id, users } of accounts) for (const user of users) user.cap = id === 'other' ? 1_000 : cap;
const config = join(directory, 'gateway.yaml');
writeFileSync(
  config,
  stringify({
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    media: { dir: join(directory, 'media') },
    ...{ chat_models, accounts, channels, prices: testPrices },
  }),
);
const gateway = await runGateway(['--config', config, '--exit-with-stdin']);
if (gateway.url === '') throw new Error((await gateway.exit).errors);
try {
  process.exitCode = (await compare()) < mostTimes ? 0 : 1;
} finally {
  gateway.stop('SIGTERM');
  await gateway.exit;
  upstream.stop();
  await remove();
  rmSync(directory, { recursive: true, force: true });
}

/** Alternates quiet and loud runs, since the speed of the machine varies; reports the worst ratio. */
async function compare(): Promise<number> {
  const body = join(directory, 'body');
  const wanted = worstBodies.filter(({ title }) => title.includes(positionals[0] ?? ''));
  const rows: { readonly title: string; readonly told: string; readonly times: number }[] = [];
  await measure(2_000);
  for (const worst of wanted) {
    writeFileSync(body, worst.text);
    const quiet = await measure(forMs);
    const child = fork(join(import.meta.dirname, 'loud-key.ts'));
    child.send({ ...askingOf(worst), bodyFile: body, atOnce: cap });
    await wait(settleMs);
    const loud = await measure(forMs);
    child.send('stop');
    const [answers] = await once(child, 'message');
    const [quietP99, loudP99] = [percentile(quiet, 0.99), percentile(loud, 0.99)];
    const times = loudP99 / quietP99;
    const told = `quiet p50 ${ms(percentile(quiet, 0.5))} p99 ${ms(quietP99)}, beside p50 ${ms(percentile(loud, 0.5))} p99 ${ms(loudP99)}`;
    rows.push({ title: worst.title, told, times });
    process.stdout.write(
      `${times.toFixed(1).padStart(6)} x  ${told}  ${JSON.stringify(answers)}  ${worst.title}\n`,
    );
  }
  const most = rows.reduce((one, { times }) => Math.max(one, times), 0);
  process.stdout.write(
    `${rows.length} bodies, ${rows.filter(({ times }) => times >= mostTimes).length} at ${mostTimes} x or more, at most ${most.toFixed(1)} x\n`,
  );
  return most;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function askingOf({ path }: WorstBody): { url: string; headers: Record<string, string> } {
  const query = path.startsWith('/compat-b') ? `?key=${testKey}` : '';
  const headers = {
    authorization: `Bearer ${testKey}`,
    'x-api-key': testKey,
    'compat-a-version': '2023-06-01',
    'content-type': 'application/json',
  };
  return { url: gateway.url + path + query, headers };
}

/** Latencies of small calls of the second key, from the time at which each is due. */
async function measure(withinMs: number): Promise<number[]> {
  const took: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
  const call = async (dueMs: number): Promise<void> => {
    const url = `${gateway.url}/api/v1/chat/completions`;
    const { status, text } = await read(url, { method: 'POST', key: otherKey, body });
    if (status !== 200) throw new Error(`the second key was answered ${status} ${text}`);
    took.push(performance.now() - dueMs);
  };
  for (let n = 0; n * everyMs < withinMs; n += 1) {
    const dueMs = startedAt + n * everyMs;
    await wait(Math.max(0, dueMs - performance.now()));
    underWay.push(call(dueMs));
  }
  await Promise.all(underWay);
  return took;
}
