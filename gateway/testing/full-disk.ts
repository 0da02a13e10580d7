import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { parseUsd } from '../money/pico.ts';
import { auditAccounts, auditConfig, auditGrant } from './crash/audit-config.ts';
import { startAuditUpstreams } from './crash/audit-upstreams.ts';
import { readAdminBooks } from './crash/books.ts';
import { createCallers } from './crash/callers.ts';
import { Sightings } from './crash/sightings.ts';
import { runGateway } from './gateway-process.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';
import { read } from './wire.ts';

// `node gateway/testing/full-disk.ts --dir DIR` fills the disk of DIR while a gateway keeps its data there. The disk must be
// small and hold nothing else. With `--url postgres://…` it fills the disk of that server instead. It expects well-formed
// errors, a `/readyz` that reports the problem, reads that still work, and correct books once there is space again. Exits
// with 1 otherwise.

const { values } = parseArgs({ options: { dir: { type: 'string' }, url: { type: 'string' } } });
const { dir, url } = values;
if (dir === undefined) throw new Error('--dir names a directory on a small disk.');
const own = join(dir, 'gateway');
mkdirSync(own, { recursive: true });
const filler = join(dir, 'filler');
const faults: string[] = [];
const fault = (what: string): void => void faults.push(what);

const sightings = new Sightings();
const upstreams = await startAuditUpstreams(sightings);
const receiver = await startWebhookReceiver();
const place = url === undefined ? { dataDir: join(own, 'data') } : { url };
const config = join(own, 'gateway.yaml');
writeFileSync(config, stringify(auditConfig(1, { place, directory: own, upstreams, receiver })));
const running = await runGateway(['--config', config]);
const gateway = { number: 1, place: 0, url: running.url, running, relay: null };
const callers = createCallers({
  ...{ sightings, live: [gateway], random: Math.random, webhookUrl: receiver.url },
  onWrong: fault,
});
const readiness = async (): Promise<string> => (await read(`${running.url}/readyz`)).text;
const until = async (what: string, isSo: (text: string) => boolean, withinMs: number): Promise<void> => {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(100))
    if (isSo(await readiness())) return;
  fault(`/readyz does not say ${what} within ${withinMs} ms: ${await readiness()}`);
};

const over = new AbortController();
const loading = callers.load(over.signal, 20);
await wait(2_000);
// From here on rejections are expected, also for earlier requests that are still running.
sightings.isShaking = true;
for (const sighting of sightings.all.values()) sighting.isShaken = sighting.answeredAtMs === null;
const before = sightings.all.size;
for (let room = roomIn(dir), n = 0; room > 0; room = roomIn(dir), n += 1)
  try {
    writeFileSync(`${filler}${n}`, Buffer.alloc(room));
  } catch {
    break;
  }
await until('writes', (text) => text.includes('writes'), 60_000);
await wait(2_000);
for (const path of ['/api/v1/models', '/api/v1/tasks/none']) {
  const { status } = await read(running.url + path, { key: auditAccounts[0]?.key ?? '' });
  if (status >= 500) fault(`${path} answers ${status} on a full disk`);
}
const refused = [...sightings.all.values()]
  .slice(before)
  .filter(({ answeredAtMs }) => answeredAtMs === null).length;
for (let n = 0; n < 1_000; n += 1) rmSync(`${filler}${n}`, { force: true });
await until('ready', (text) => text.includes('"ready"'), 60_000);
sightings.isShaking = false;
await wait(2_000);
over.abort();
await loading;
await wait(5_000);
const books = await readAdminBooks(
  running.url,
  auditAccounts.map(({ id }) => id),
);
const recorded = new Set(books.records.map(({ request_id }) => request_id));
const answered = [...sightings.all.values()].filter(
  (one) => one.answeredAtMs !== null && one.taskId === null,
);
for (const { n, requestId } of answered)
  if (!recorded.has(String(requestId))) fault(`number ${n} was answered and has no record`);
for (const [id, { posted }] of books.balances) {
  const spent = books.records
    .filter(({ account_id }) => account_id === id)
    .reduce((sum, { charge }) => sum + (parseUsd(charge) ?? 0n), 0n);
  if (posted !== (parseUsd(auditGrant) ?? 0n) - spent) fault(`${id} has ${posted} and spent ${spent}`);
}
running.stop('SIGTERM');
const { code } = await running.exit;
if (code !== 0) fault(`the gateway ended with ${code}`);
await Promise.all([upstreams.close(), receiver.close()]);
process.stdout.write(
  `${sightings.all.size} requests, ${answered.length} answered, ${refused} refused on the full disk\n${faults.join('\n')}\n${faults.length} violations\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function roomIn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
