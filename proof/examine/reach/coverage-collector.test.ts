import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { CoverageCollector } from './coverage-collector.ts';
import { type FileCoverage, hasRun } from './coverage-line.ts';

const file = 'gateway/money/pico.ts';
const url = new URL(`../../../${file}`, import.meta.url);
const text = readFileSync(url, 'utf8');

/** Loads the file, and calls its function once per input line. */
const program = `
  import { createInterface } from 'node:readline';
  const { parseUsd } = await import(${JSON.stringify(url.href)});
  createInterface({ input: process.stdin }).on('line', (line) => console.log(String(parseUsd(line))));
  console.log('ready');
`;

const ranIn = (coverage: readonly FileCoverage[], part: string): boolean =>
  hasRun(coverage.find(({ path }) => path === file)?.ranges ?? [], text.indexOf(part));

/** Collects the warnings of this process from now on, such as those about leaked listeners. */
function warnings(): () => Promise<string[]> {
  const names: string[] = [];
  const note = ({ name }: Error): void => void names.push(name);
  process.on('warning', note);
  return async () => {
    await new Promise(setImmediate);
    process.off('warning', note);
    return names;
  };
}

it('reports the code that ran since the last request, and that of a process that ended', async () => {
  const collector = await CoverageCollector.start();
  const { nodeArgs, env } = collector.flagsFor('told');
  const child = spawn(process.execPath, [...nodeArgs, '--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    const start = await collector.take('told');
    expect(start.map(({ path }) => path)).toEqual([file]);
    expect(ranIn(start, 'const picoDecimals')).toBe(true);
    expect(ranIn(start, 'const match =')).toBe(false);

    child.stdin.write('no amount\n');
    expect((await lines.next()).value).toBe('null');
    const call = await collector.take('told');
    expect(ranIn(call, 'const match =')).toBe(true);
    expect(ranIn(call, 'const pico =')).toBe(false);
    expect(ranIn(await collector.take('told'), 'const match =')).toBe(false);

    const warned = warnings();
    for (let time = 0; time < 12; time += 1) await collector.take('told');
    expect(await warned()).toEqual([]);

    child.stdin.end();
    await once(child, 'exit');
    await expect(collector.take('told')).rejects.toThrow('told');
  } finally {
    child.kill('SIGKILL');
    await collector.close();
  }
  await expect(collector.take('nobody')).rejects.toThrow('nobody tells nothing');
});
