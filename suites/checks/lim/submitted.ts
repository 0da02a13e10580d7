import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dollarText, type Pico, picoIn } from '../../oracle/money.ts';
import { flag, Untestable } from '../../rules/violation.ts';
import { anyPictureModel, anyTaskModel } from '../../steps/media/task-models.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const requirement = 'LIM-015';

/** How many more requests are sent than the credit covers. */
const beyond = 4;
/** An overdraft worth more requests than this is not used up. */
const mostRequests = 40;

/** An account with credit for two requests and most of a third. */
interface Bounded {
  readonly key: string;
  /** The lowest allowed balance. */
  readonly floor: Pico;
  /** How many requests to send. */
  readonly count: number;
  grant(): Promise<void>;
}

export const submittedIsBounded = defineCheck({
  id: 'lim.credits.submitted',
  title: 'tasks and images in progress together take an account no further below zero than declared',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.accounts', 'hooks.balance', 'billing.overdraft'],
  run: async (parts) => {
    await judgeTasks(parts);
    await judgePictures(parts);
  },
});

/** Tasks handed in one after the other: each gives its slot back at once, so only the credit bounds them. */
async function judgeTasks(parts: CheckParts): Promise<void> {
  const { target, tasks, newScene, cases, judge } = parts;
  const model = anyTaskModel(target);
  const bounded = await boundedAccount(parts, model, async (key) => {
    return (await tasks.make(newScene().minimalMedia(model), { key })).submitted;
  });
  const { key, count } = bounded;
  const taken: string[] = [];
  let last: Exchange | undefined;
  for (let one = 0; one < count; one += 1) {
    cases.count();
    const exchange = await tasks.submit(newScene().minimalMedia(model), { key, label: `task ${one + 1}` });
    last = exchange;
    if ((exchange.response?.status ?? 0) < 300) taken.push(tasks.accepted(exchange).taskId);
    else judge.refused(exchange, { requirement, aspect: 'refused-as-spent', codes: ['quota_exceeded'] });
  }
  for (const taskId of taken) await tasks.follow(taskId, { key });
  await judgeFloor(parts, bounded, `after ${taken.length} of ${count} tasks were taken`, last);
  await bounded.grant();
  await tasks.make(newScene().minimalMedia(model), { key });
}

/** Requests images in parallel. None is charged yet when the others are admitted. */
async function judgePictures(parts: CheckParts): Promise<void> {
  const { target, images, newScene, cases, judge } = parts;
  const model = anyPictureModel(target);
  if (model === undefined) return;
  const paint = (key: string): Promise<Exchange> => images.generate(newScene().minimalMedia(model), { key });
  const bounded = await boundedAccount(parts, model, paint);
  const together = Math.min(target.profile.cap.value, bounded.count);
  const answers = await Promise.all(
    Array.from({ length: together }, () => {
      cases.count();
      return paint(bounded.key);
    }),
  );
  const refused = answers.filter((answer) => !isSuccess(answer));
  for (const exchange of refused)
    judge.refused(exchange, { requirement, aspect: 'refused-as-spent', codes: ['quota_exceeded'] });
  await judgeFloor(parts, bounded, `after ${together - refused.length} images at once`, answers.at(-1));
}

async function boundedAccount(
  { accounts, target, meter }: CheckParts,
  model: string,
  spend: (key: string) => Promise<Exchange>,
): Promise<Bounded> {
  const { key: rich } = await accounts.create({ credits: '100000' });
  const charge = await meter.charged(() => spend(rich), { key: rich });
  if (charge <= 0n) throw new Untestable(`a price of ${model}`);
  const overdraft = picoIn(target.profile.billing.overdraft ?? '0') ?? 0n;
  const credits = 3n * charge - 1n;
  const count = Number((credits + overdraft) / charge) + beyond;
  if (count > mostRequests)
    throw new Untestable(`an overdraft below ${mostRequests} times the price of ${model}`);
  const account = await accounts.create({ credits: dollarText(credits) });
  return { key: account.key, floor: -overdraft, count, grant: () => account.change({ grant: '100000' }) };
}

async function judgeFloor(
  { meter }: CheckParts,
  { key, floor }: Bounded,
  when: string,
  exchange: Exchange | undefined,
): Promise<void> {
  const { balance } = await meter.settledAccount(key);
  flag(balance >= floor, {
    requirement,
    aspect: 'bounded',
    expected: `a balance of ${dollarText(floor)} dollars or more (billing.overdraft)`,
    actual: `${dollarText(balance)} ${when}`,
    exchange,
  });
}
