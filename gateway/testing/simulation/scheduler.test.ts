import { expect, it } from 'vitest';
import { Random } from '../random.ts';
import { Scheduler } from './scheduler.ts';

it('lets nothing happen for an owner that is gone, whatever it asks for later', async () => {
  const scheduler = new Scheduler(new Random(1), 10);
  const happened: string[] = [];
  const plan = (owner: string): void => {
    scheduler.after(5, owner, owner, () => happened.push(owner));
  };
  plan('dead');
  plan('alive');
  scheduler.drop('dead');
  plan('dead');
  while (await scheduler.step());
  expect(happened).toEqual(['alive']);
});
