import { strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AgentLoop, agentLoops } from './agent.ts';
import { langchainSubjects } from './langchain.ts';
import { answersBeyond, type Exception, exceptions } from './outside.ts';
import { type Stack, startStack } from './stack.ts';
import type { Subject } from './subject.ts';
import { documentOf, type Row } from './table.ts';
import { uses } from './uses.ts';
import { vercelSubjects } from './vercel.ts';

// The AI SDK warns about unknown models; the warnings are irrelevant here.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const page = new URL('../docs/clients.md', import.meta.url);
const loops = ['agent loop', 'agent loop, streamed'];
const faults: string[] = [];
const known = new Set<Exception>();

const stack = await startStack();
const rows: Row[] = [];
try {
  for (const subject of [...vercelSubjects(stack), ...langchainSubjects(stack)])
    rows.push(await rowOf(subject, stack));
  for (const loop of agentLoops(stack)) rows.push(await loopRow(loop, stack));
  const before = readFileSync(page, 'utf8');
  const text = documentOf(
    before,
    rows,
    [...uses.map(({ name }) => name), ...loops],
    await answersBeyond(stack),
  );
  for (const { client, use } of exceptions.filter((one) => !known.has(one)))
    faults.push(`${client}: ${use} works, and is listed as an exception`);
  if (process.argv.includes('--write')) writeFileSync(page, text);
  else if (before !== text)
    faults.push('docs/clients.md is stale: run with --write, and read the difference');
} finally {
  const found = await stack.close();
  if (found !== null) faults.push(found);
}
const cells = rows.flatMap((row) => Object.values(row.cells));
const can = cells.filter((cell) => cell === 'can').length;
process.stdout.write(
  `${rows.length} rows, ${can} uses work, ${cells.length - can} are explained, ${faults.length} faults\n`,
);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function rowOf(subject: Subject, upstreams: Stack): Promise<Row> {
  const { client, setting, model, path } = subject;
  const cells: Record<string, 'can' | Exception> = {};
  for (const use of uses) {
    const cell = await cellOf({ client, model, use: use.name }, () => use.try(subject, upstreams));
    if (cell !== null) cells[use.name] = cell;
  }
  return { client, setting, model, path, cells };
}

async function loopRow(loop: AgentLoop, upstreams: Stack): Promise<Row> {
  const { client, setting, model } = loop;
  const cells: Record<string, 'can' | Exception> = {};
  for (const [index, use] of loops.entries()) {
    const cell = await cellOf({ client, model, use }, async () => {
      const call = { name: 'spell', arguments: '{"word":"sea"}' };
      await upstreams.script([{ tool_calls: [call] }, { text: 'It is s-e-a.' }]);
      const { answer, words } = await loop.run(index === 1);
      strictEqual(answer, 'It is s-e-a.');
      strictEqual(words.join(), 'sea');
    });
    if (cell !== null) cells[use] = cell;
  }
  return { client, setting, model, path: 'core', cells };
}

/** Success, or the declared exception for a failure. Null for any other result, which is recorded as a fault. */
async function cellOf(
  { client, model, use }: { readonly client: string; readonly model: string; readonly use: string },
  work: () => Promise<void>,
): Promise<'can' | Exception | null> {
  const exception = exceptions.find(
    (one) => one.client === client && one.use === use && one.models.includes(model),
  );
  try {
    await work();
    return 'can';
  } catch (error) {
    if (exception?.by.test(String(error)) === true) {
      known.add(exception);
      return exception;
    }
    faults.push(`${client} on ${model}, ${use}: ${String(error)}`);
    return null;
  }
}
