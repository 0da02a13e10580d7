import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { DocumentShell } from './document-shell.ts';

/** A report of a run in which the one check failed. */
export function failed(shell: DocumentShell): undefined {
  const report = JSON.parse(readFileSync(join(shell.folder, 'reports/out/report.json'), 'utf8'));
  for (const check of report.checks) check.verdict = 'fail';
  mkdirSync(join(shell.folder, 'last'), { recursive: true });
  writeFileSync(join(shell.folder, 'last/report.json'), JSON.stringify(report));
  return undefined;
}

/** The report of the run before, as if its one check had failed. */
export function withFailure(shell: DocumentShell): undefined {
  const file = join(shell.folder, 'reports/out/report.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(join(shell.folder, 'as-it-was.json'), text);
  const report = JSON.parse(text);
  const broken = { requirement: 'ERR-012', aspect: 'param-names-field', statement: 'a', section: 'b' };
  const failure = { ...broken, expected: 'c', actual: 'd', exchange: null, twin: null, replay: 'e' };
  report.checks[0] = { ...report.checks[0], verdict: 'fail', failure };
  writeFileSync(file, JSON.stringify(report));
  return undefined;
}

export function asItWas(shell: DocumentShell): void {
  cpSync(join(shell.folder, 'as-it-was.json'), join(shell.folder, 'reports/out/report.json'));
}

/** The drill before, as that of another day. */
export function drilled(shell: DocumentShell): undefined {
  mkdirSync(join(shell.folder, 'last'), { recursive: true });
  cpSync(join(shell.folder, 'reports/out/drill.json'), join(shell.folder, 'last/drill.json'));
  return undefined;
}

/** A recording of one read of the list of models. */
export function recorded(shell: DocumentShell): undefined {
  const request = { method: 'GET', url: 'https://gateway.example.com/api/v1/models', headers: [] };
  const content = { text: JSON.stringify({ data: [{ id: 'alpha-5-2' }] }) };
  const headers = [{ name: 'content-type', value: 'application/json' }];
  const response = { status: 200, headers, content };
  const entry = { startedDateTime: '2026-11-26T05:00:00.000Z', time: 5, request, response };
  const log = { version: '1.2', entries: [entry] };
  writeFileSync(join(shell.folder, 'recorded.har'), JSON.stringify({ log }));
  return undefined;
}

/** Copies the example of own checks into the folder of the commands. */
export function withOwnChecks(shell: DocumentShell): undefined {
  const example = fileURLToPath(new URL('../../../docs/examples/own-checks.ts', import.meta.url));
  cpSync(example, join(shell.folder, 'own-checks.ts'));
  return undefined;
}

/** The ports of the example, and the upstreams that it names, may be taken. */
export function onFreePorts(shell: DocumentShell): void {
  const file = join(shell.folder, 'gateway.yaml');
  const text = shell.read(readFileSync(file, 'utf8')).replace('port: 8080', 'port: 0');
  writeFileSync(file, text);
}

/** A working event receiver, at the example addresses of the documents. */
export async function aReceiver(shell: DocumentShell): Promise<void> {
  const ready = await shell.serve('GATECHECK_RECEIVER_SECRET=whsec_… npx gatecheck simulate');
  const url = String(ready.receiver_url);
  shell.means('https://shop.example.com/hooks/tasks', url);
  shell.means('http://127.0.0.1:3000/hooks', url);
  shell.means('http://127.0.0.1:3000/orders/count', new URL('/processed', url).href);
}

/** Waits until a task has ended and left its event. */
export async function untilAnEvent(shell: DocumentShell): Promise<void> {
  const ask = 'curl -H "authorization: Bearer $ADMIN_TOKEN" "$gateway/api/admin/webhooks?account_id=acme"';
  for (let tries = 0; tries < 100; tries += 1) {
    const { output } = await shell.run(ask);
    const [event] = (JSON.parse(output) as { data: { event_id: string }[] }).data;
    if (event !== undefined) return shell.means('evt_…', event.event_id);
  }
  throw new Error('the task left no event');
}

/**
 * A profile for a document that names one and does not make it itself.
 * @param share which tenants are its own: documents are taken side by side, and each run begins with the first ones
 */
export function giveProfile(
  shell: DocumentShell,
  target: string,
  { index, of }: { readonly index: number; readonly of: number },
): void {
  const profile = parse(readFileSync(target, 'utf8'));
  const tenants = profile.tenants.filter((_: unknown, place: number) => place % of === index);
  for (const name of ['my-gateway.yaml', 'production.yaml'])
    writeFileSync(join(shell.folder, name), stringify({ ...profile, tenants }));
}
