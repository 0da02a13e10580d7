import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantControl } from 'gatecheck-simulators/client';
import { afterAll, describe, expect, it } from 'vitest';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { bearer } from '../engine/requests.ts';
import { judgeStream } from '../oracle/stream.ts';
import { isWhole } from '../testing/test-size.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import type { Stack } from './stack.ts';
import { stackEachFile } from './testing/stack-each-file.ts';

/** Streams with extremely large or small deltas, through the gateway, from an upstream of each dialect. */
const models = ['alpha-5-2', 'beta-large-4-5', 'gamma-3-pro'] as const;

let stack: Stack;
let upstream: TenantControl;
let client: WireClient;

stackEachFile((ends) => {
  ({ stack, upstream } = ends);
  client = createWireClient(stack.profile);
});
afterAll(() => client.close());

/** The text that a client reads when the upstream sends these deltas, without the upstream's own limits. */
async function readThrough(model: string, deltas: readonly string[]): Promise<string> {
  await upstream.script({ replies: [{ deltas: [...deltas], obey: false }] });
  const exchange = await client.send({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: bearer(stack.profile.keys.K1),
    body: { model, messages: [{ role: 'user', content: 'Say much.' }], stream: true },
  });
  return judgeStream(exchange, { requirement: 'SSE-007', aspect: 'fragments-join', model }).content;
}

const line = 'Die See 🌊 ist grün,\n水 und tief. ';

describe.each(models)('a stream of %s', (model) => {
  it('passes one delta of 1 MB', async () => {
    const delta = line.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(line)));
    expect((await readThrough(model, [delta])) === delta).toBe(true);
  }, 120_000);

  it('passes 10,000 deltas of a character each', async () => {
    const deltas = Array.from({ length: 10_000 }, (_, index) => [...line][index % [...line].length] ?? '');
    expect((await readThrough(model, deltas)) === deltas.join('')).toBe(true);
  }, 120_000);
});

// Trying every place takes a minute. The check itself tries a dozen of each kind in any run.
describe.runIf(isWhole)('a stream of 4 KB of each dialect', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-splits-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('arrives as the same text and calls when it is split before any of its bytes', async () => {
    const only = ['--only', 'sse.fragments.split-bytes'];
    const { code } = await runCli(['run', '--reference', '--full', ...only, '--seed', '1', '--out', folder]);
    const [result] = readReport(folder).checks;
    expect([code, result?.verdict]).toEqual([0, 'pass']);
    // A stream of n bytes can be split in n - 1 places.
    expect(result?.evidence.cases).toBeGreaterThanOrEqual(models.length * 4_095);
  }, 900_000);
});
