import { parseArgs } from 'node:util';
import { startOwnServer } from './failover/own-server.ts';
import { measureStore, type StoreTimes } from './load/run-many-records.ts';

// `node gateway/testing/many-records.ts --records N`: compares a gateway on an empty store with one on N usage records, each
// on its own PostgreSQL server. Exits with 1 if a query of administrators takes longer than --question-ms.

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '5000000' },
    'question-ms': { type: 'string', default: '100' },
  },
});

async function measured(records: number): Promise<StoreTimes> {
  const server = await startOwnServer();
  try {
    return await measureStore(server.url, records);
  } finally {
    await server.remove();
  }
}

const empty = await measured(0);
const full = await measured(Number(values.records));
const ms = (one: number): string => one.toFixed(1).padStart(9);
const line = (name: string, a: number, b: number): void =>
  void process.stdout.write(`${name.padEnd(60)}${ms(a)}${ms(b)}\n`);
process.stdout.write(`${'ms, of an empty store and of a full one'.padEnd(60)}    empty     full\n`);
line('start', empty.startMs, full.startMs);
line('request, median', empty.requestMs, full.requestMs);
line('request, slowest', empty.requestMostMs, full.requestMostMs);
const slow: string[] = [];
for (const [place, { path, ms: took, found }] of full.questions.entries()) {
  line(`${path} (${found})`, empty.questions[place]?.ms ?? 0, took);
  if (took > Number(values['question-ms'])) slow.push(path);
}
process.stdout.write(`${slow.length} questions beyond ${values['question-ms']} ms\n`);
process.exitCode = slow.length === 0 ? 0 : 1;
