import { afterEach, expect, it } from 'vitest';
import { askDesk, type Order } from '../../runner/ask-desk.ts';
import type { JobResult, JobTarget } from '../../runner/run-input.ts';
import { JobDesk } from './job-desk.ts';

const desks: JobDesk[] = [];
afterEach(() => Promise.all(desks.splice(0).map((desk) => desk.close())));

const { signal } = new AbortController();
const [one, other] = ['one', 'other'].map((id) => ({ id }) as JobTarget) as [JobTarget, JobTarget];
const resultOf = ({ check, target }: Order): JobResult =>
  ({ id: check, target: target.id, verdict: 'pass' }) as JobResult;

async function startDesk(): Promise<JobDesk> {
  const desk = await JobDesk.start();
  desks.push(desk);
  return desk;
}

/** A lane that works until the desk ends, and the checks that it ran. */
async function runLane({ url }: JobDesk): Promise<string[]> {
  const ran: string[] = [];
  let order = await askDesk(url, null, signal);
  while (order !== null) {
    ran.push(`${order.check} on ${order.target.id}`);
    order = await askDesk(url, { ticket: order.ticket, result: resultOf(order) }, signal);
  }
  return ran;
}

it('gives a lane job after job in their order, and answers each with its result', async () => {
  const desk = await startDesk();
  const asked = [desk.judge(one, 'a'), desk.judge(other, 'b')];
  const lane = runLane(desk);
  expect((await Promise.all(asked)).map((result) => result?.id)).toEqual(['a', 'b']);
  expect(await desk.judge(one, 'c')).toMatchObject({ id: 'c', target: 'one' });
  desk.end();
  expect(await lane).toEqual(['a on one', 'b on other', 'c on one']);
});

it('forgets the jobs of a target that is withdrawn, and no others', async () => {
  const desk = await startDesk();
  const asked = [desk.judge(one, 'a'), desk.judge(other, 'b')];
  desk.withdraw(one);
  expect(await asked[0]).toBeNull();
  const lane = runLane(desk);
  expect(await asked[1]).toMatchObject({ id: 'b' });
  desk.end();
  expect(await lane).toEqual(['b on other']);
});

it('answers a job under way with nothing when its target is withdrawn', async () => {
  const desk = await startDesk();
  const asked = desk.judge(one, 'a');
  const order = await askDesk(desk.url, null, signal);
  desk.withdraw(one);
  expect(await asked).toBeNull();
  const next = desk.judge(other, 'b');
  if (order === null) throw new Error('there was no order');
  const then = await askDesk(desk.url, { ticket: order.ticket, result: resultOf(order) }, signal);
  expect(then).toMatchObject({ check: 'b' });
  desk.end();
  expect(await next).toBeNull();
});

it('leaves nobody waiting when it ends', async () => {
  const desk = await startDesk();
  const lanes = [runLane(desk), runLane(desk)];
  desk.end();
  expect(await Promise.all(lanes)).toEqual([[], []]);
  expect(await desk.judge(one, 'a')).toBeNull();
});

it('names the jobs that a lane has for too long, and no others', async () => {
  const desk = await startDesk();
  const asked = [desk.judge(one, 'a'), desk.judge(other, 'b')];
  const order = await askDesk(desk.url, null, signal);
  if (order === null) throw new Error('there was no order');
  expect(desk.overdue(60_000)).toEqual([]);
  expect(desk.overdue(-1)).toEqual(['a on one for 0 s']);
  const next = askDesk(desk.url, { ticket: order.ticket, result: resultOf(order) }, signal);
  expect(await asked[0]).toMatchObject({ id: 'a' });
  await next;
  expect(desk.overdue(-1)).toEqual(['b on other for 0 s']);
});
