import { afterEach, describe, expect, it } from 'vitest';
import { askGate } from '../../runner/ask-gate.ts';
import type { RunInput } from '../../runner/run-input.ts';
import { OneAtATime } from './one-at-a-time.ts';

const gates: OneAtATime[] = [];
afterEach(() => Promise.all(gates.splice(0).map((gate) => gate.close())));

async function gateThat(onEnd: (target: string, check: string) => Promise<void>): Promise<RunInput> {
  const gate = await OneAtATime.start(onEnd);
  gates.push(gate);
  return { gate: gate.url } as RunInput;
}

describe('a gate for jobs', () => {
  it('lets the next job of a target begin when the one before has been noted', async () => {
    const seen: string[] = [];
    const input = await gateThat(async (target, check) => void seen.push(`noted ${check} on ${target}`));
    const run = async (check: string): Promise<void> => {
      await askGate(input, 'begin', { target: 'a', check });
      seen.push(`begins ${check}`);
      await askGate(input, 'end', { target: 'a', check });
    };
    await Promise.all([run('one'), run('two'), run('three')]);
    const begun = seen.filter((line) => line.startsWith('begins')).map((line) => line.slice(7));
    expect(begun.toSorted()).toEqual(['one', 'three', 'two']);
    expect(seen).toEqual(begun.flatMap((check) => [`begins ${check}`, `noted ${check} on a`]));
  });

  it('lets jobs of two targets run side by side', async () => {
    const input = await gateThat(async () => undefined);
    await askGate(input, 'begin', { target: 'a', check: 'one' });
    await expect(askGate(input, 'begin', { target: 'b', check: 'two' })).resolves.toBeUndefined();
  });

  it('tells the job why nothing could be noted, and goes on', async () => {
    const input = await gateThat(() => Promise.reject(new Error('the gateway ended')));
    await askGate(input, 'begin', { target: 'a', check: 'one' });
    await expect(askGate(input, 'end', { target: 'a', check: 'one' })).rejects.toThrow('the gateway ended');
    await expect(askGate(input, 'begin', { target: 'a', check: 'two' })).resolves.toBeUndefined();
  });

  it('is nothing where there is none', async () => {
    await expect(askGate({} as RunInput, 'begin', { target: 'a', check: 'one' })).resolves.toBeUndefined();
  });
});
