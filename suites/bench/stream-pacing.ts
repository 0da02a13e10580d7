import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type JournalEntry, SimulatorControl, type TenantControl } from 'gatecheck-simulators/client';

/** Started by hand: `node suites/bench/stream-pacing.ts`. Prints how well the simulators keep the times of a stream. */

const connections = 50;
const frames = 100;
const streamMs = 250;
const rounds = 5;
/** How much longer than its time a stream may take. */
const maxRatio = 1.02;

/** One stream as it went: at the client from the head to the end, and at the upstream from its beginning. */
interface Timing {
  readonly clientMs: number;
  readonly serverMs: number;
  /** How late each write of the upstream was, ms. */
  readonly lateMs: readonly number[];
}

await main();

async function main(): Promise<void> {
  const child = spawn(process.execPath, [simulatorsMain(), '--exit-with-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const { provider_url, control_url } = await addressesOf(child);
    const control = new SimulatorControl(control_url);
    // The first round finds code that nobody has run yet.
    await runRound(control.tenant('warm-up'), provider_url);
    const timings: Timing[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const timed = await runRound(control.tenant(`round-${round}`), provider_url);
      timings.push(...timed);
      report(`round ${round}`, timed);
    }
    report(`all ${rounds} rounds`, timings);
    const kept = timings.filter(({ clientMs }) => clientMs <= streamMs * maxRatio).length;
    write(`${kept} of ${timings.length} streams end within ${streamMs * maxRatio} ms`);
    await control.close();
  } finally {
    const gone = once(child, 'exit');
    child.stdin?.end();
    await gone;
  }
}

function simulatorsMain(): string {
  return new URL('../../simulators/main.ts', import.meta.url).pathname;
}

async function addressesOf(child: ChildProcess): Promise<{ provider_url: string; control_url: string }> {
  if (child.stdout === null) throw new Error('the output is piped');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(line);
}

async function runRound(tenant: TenantControl, providerUrl: string): Promise<Timing[]> {
  const deltas = Array.from({ length: frames }, (_, k) => `frame ${k} `);
  const pacing = { first_ms: 0, each_ms: streamMs / frames };
  await tenant.script({ replies: [{ deltas, pacing }] });
  const clients = await Promise.all(
    Array.from({ length: connections }, () => timeStream(providerUrl, tenant.name)),
  );
  const { entries } = await tenant.journal({ ended: connections });
  await tenant.reset();
  const served = entries.map(timeAtServer);
  return clients.map((clientMs, at) => ({
    clientMs,
    ...(served[at] ?? { serverMs: Number.NaN, lateMs: [] }),
  }));
}

/** Reads one stream over a socket of its own and does nothing else with it: from the first byte of its head to its end. */
function timeStream(providerUrl: string, tenant: string): Promise<number> {
  const { hostname, port } = new URL(providerUrl);
  const messages = [{ role: 'user', content: 'Stream.' }];
  const body = JSON.stringify({ model: 'a52-2026-08-07', messages, stream: true });
  const head = [
    `POST /${tenant}/alpha/v1/chat/completions HTTP/1.1`,
    'host: bench',
    'connection: close',
    'authorization: Bearer sk-upstream',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let beganMs = 0;
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    socket.on('data', () => {
      if (beganMs === 0) beganMs = performance.now();
    });
    socket.once('end', () => resolve(performance.now() - beganMs));
    socket.once('error', reject);
  });
}

function timeAtServer({ reply }: JournalEntry): Omit<Timing, 'clientMs'> {
  const [first] = reply.sends;
  const last = reply.sends.at(-1);
  const lateMs = reply.sends.map((send) => send.actual_ms - send.intended_ms);
  return { serverMs: (last?.actual_ms ?? 0) - (first?.intended_ms ?? 0), lateMs };
}

function report(what: string, timings: readonly Timing[]): void {
  const client = timings.map(({ clientMs }) => clientMs);
  const server = timings.map(({ serverMs }) => serverMs);
  write(`${what}: ${timings.length} streams of ${frames} frames in ${streamMs} ms`);
  write(`  at the client  ${spread(client)}  ratio ${ratios(client)}`);
  write(`  at the upstream ${spread(server)}  ratio ${ratios(server)}`);
  write(`  late by         ${spread(timings.flatMap(({ lateMs }) => lateMs))}`);
}

function spread(values: readonly number[]): string {
  const named = [
    ['median', 0.5],
    ['p99', 0.99],
    ['most', 1],
  ] as const;
  return named.map(([name, share]) => `${name} ${quantile(values, share).toFixed(2)} ms`).join(', ');
}

function ratios(values: readonly number[]): string {
  return [0.5, 0.99, 1].map((share) => (quantile(values, share) / streamMs).toFixed(4)).join(' / ');
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
