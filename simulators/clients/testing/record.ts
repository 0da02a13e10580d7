import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { answerKinds } from '../../answers/native-answer.ts';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import { allRigs } from './all-rigs.ts';
import type { ClientRig } from './client-rig.ts';
import { startBench } from './harness.ts';
import { isLasting, type Meeting, meetFault, meetingsOf } from './meet-fault.ts';
import { meetOutage, outagesOf } from './meet-outage.ts';
import { outcomeLine, outcomeOf } from './outcome.ts';
import { installed, type OutcomeTable, readTable, rowOf, tableFile, writeTable } from './outcome-table.ts';

/**
 * Records again how the installed clients behave: `node simulators/clients/testing/record.ts [client …]`. Prints each row
 * that changed. You decide whether the client changed or the simulators have a defect.
 */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !allRigs.some(({ client }) => client === name));
if (unknown.length > 0) {
  process.stderr.write(
    `there is no client ${unknown.join(', ')}: ${allRigs.map((rig) => rig.client).join(', ')}\n`,
  );
  process.exit(2);
}
// Tables that build on another table are written last.
const isOverlay = (rig: ClientRig): number => Number(earlierTable(rig)?.like !== undefined);
for (const rig of allRigs.toSorted((one, other) => isOverlay(one) - isOverlay(other))) {
  if (wanted.length > 0 && !wanted.includes(rig.client)) continue;
  const before = earlierTable(rig);
  const like = before?.like === undefined ? {} : { like: before.like };
  const rows = { faults: await recordFaults(rig), outages: await recordOutages(rig) };
  const table = { ...installed(rig), ...like, ...rows };
  process.stdout.write(`${rig.client} ${table.version}\n${changes(before, table)}`);
  writeTable(table);
  noteDate(rig);
  format(tableFile(rig.client));
}
process.exit(0);

async function recordFaults(rig: ClientRig): Promise<Record<string, string>> {
  const bench = await startBench();
  const meetings = meetingsOf(rig, faultFacts.values());
  const outcomes = new Map<string, string>();
  const record = async (meeting: Meeting): Promise<void> => {
    outcomes.set(meeting.name, outcomeLine((await meetFault(bench, rig, meeting)).outcome));
  };
  // The first call of a process is slow. Calls that never end must wait for the upstream only.
  await outcomeOf(rig, 'plain', bench.origin('warm-up'), '');
  await Promise.all(meetings.filter(isLasting).map(record));
  for (const meeting of meetings) if (!isLasting(meeting)) await record(meeting);
  await bench.close();
  return Object.fromEntries(
    meetings.flatMap(({ name }) => {
      const outcome = outcomes.get(name);
      return outcome === undefined ? [] : [[name, outcome]];
    }),
  );
}

async function recordOutages(rig: ClientRig): Promise<Record<string, string>> {
  const bench = await startBench({ testClock: true });
  const rows: [string, string][] = [];
  for (const facts of outagesOf(rig, faultFacts.values())) {
    for (const call of answerKinds.filter((kind) => facts.calls.includes(kind)))
      rows.push([`${facts.id} ${call}`, await meetOutage(bench, rig, facts, call)]);
  }
  await bench.close();
  return Object.fromEntries(rows);
}

function earlierTable(rig: ClientRig): OutcomeTable | null {
  try {
    return readTable(rig.client);
  } catch {
    return null;
  }
}

function format(file: URL): void {
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  spawnSync(biome, ['format', '--write', fileURLToPath(file)], { stdio: 'ignore' });
}

/** The day on which the client last met every fault of its dialect. */
function noteDate({ client, dialect }: ClientRig): void {
  const file = new URL('../../../fixtures/faults/clients.json', import.meta.url);
  const known: object = JSON.parse(readFileSync(file, 'utf8'));
  const on = new Date().toISOString().slice(0, 10);
  writeFileSync(file, JSON.stringify({ ...known, [client]: { dialect, on } }));
  format(file);
}

function changes(before: OutcomeTable | null, after: OutcomeTable): string {
  const base = before?.like === undefined ? null : readTable(before.like);
  const was = (name: string): unknown =>
    rowOf(name, before?.faults ?? {}, base?.faults) ?? rowOf(name, before?.outages ?? {}, base?.outages);
  return Object.entries({ ...after.faults, ...after.outages })
    .filter(([name, row]) => !isDeepStrictEqual(was(name), row))
    .map(([name, row]) => `  ${name}\n    was ${JSON.stringify(was(name))}\n    is  ${JSON.stringify(row)}\n`)
    .join('');
}
