import { describe, expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

describe('jobs one at a time', () => {
  it('begin on a target when the one before has been noted', async () => {
    const seen: string[] = [];
    const around = new OneAtATime(async ({ target, check }) => void seen.push(`noted ${check} on ${target}`));
    const run = async (check: string): Promise<void> => {
      await around.begin({ target: 'a', check });
      seen.push(`begins ${check}`);
      await around.end({ target: 'a', check });
    };
    await Promise.all([run('one'), run('two'), run('three')]);
    expect(seen).toEqual(
      ['one', 'two', 'three'].flatMap((check) => [`begins ${check}`, `noted ${check} on a`]),
    );
  });

  it('run side by side on two targets', async () => {
    const around = new OneAtATime(async () => undefined);
    await around.begin({ target: 'a', check: 'one' });
    await expect(around.begin({ target: 'b', check: 'two' })).resolves.toBeUndefined();
  });

  it('report why one could not be noted, and go on', async () => {
    const around = new OneAtATime(() => Promise.reject(new Error('the gateway ended')));
    await around.begin({ target: 'a', check: 'one' });
    await expect(around.end({ target: 'a', check: 'one' })).rejects.toThrow('the gateway ended');
    await expect(around.begin({ target: 'a', check: 'two' })).resolves.toBeUndefined();
  });
});
