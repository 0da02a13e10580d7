import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { collectingArgs, HeldMemory } from './held-memory.ts';

/** Makes 100 MB of small objects for each line, and keeps or drops them. */
const program = `
  const kept = [];
  process.stdin.on('data', (line) => {
    const made = Array.from({ length: 250 }, () => Array.from({ length: 8192 }, (_, at) => ({ a: at, b: at, c: at })));
    if (String(line).trim() === 'keep') kept.push(made);
    console.log('made');
  });
`;

it('counts memory that a process keeps, but no garbage', { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [...collectingArgs, '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const make = async (how: string): Promise<void> => {
    child.stdin.write(`${how}\n`);
    await once(lines, 'line');
  };
  try {
    // Heap that stays reserved after it was full once is not growth.
    await make('forget');
    const held = new HeldMemory(child.pid ?? 0);
    held.note('costs', 'warm');
    expect(await held.growthIn('costs')).toBeNull();
    await make('forget');
    held.note('costs', 'over');
    held.note('fields', 'warm');
    expect(await held.growthIn('costs')).toBeLessThan(40);
    await make('keep');
    held.note('fields', 'over');
    expect(await held.growthIn('fields')).toBeGreaterThan(60);
  } finally {
    child.kill('SIGKILL');
  }
});
