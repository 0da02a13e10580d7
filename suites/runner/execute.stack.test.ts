import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProxy } from '../proof/proxy.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { Collected } from './collected.ts';
import { executeHere } from './execute-here.ts';
import { executeInWorker } from './execute-in-worker.ts';
import { preflight } from './preflight.ts';
import type { JobResult } from './run-input.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 8 });
});
afterAll(() => stack.stop());

const checks = [
  'auth.header.missing',
  'resp.finish.stop',
  'chat.field.temperature',
  'sse.content.equals-plain',
];

/** A gateway that never names the stop sequence as the reason for the end of an answer. */
const wrongEnd = (body: Buffer): Buffer =>
  Buffer.from(body.toString().replace('"finish_reason":"stop"', '"finish_reason":"length"'));

async function judge(run: typeof executeHere | typeof executeInWorker): Promise<Collected> {
  const { baseUrl: origin } = stack;
  const proxy = await startProxy((path) => ({
    ...{ origin, path },
    mutation: { answer: (answer) => ({ ...answer, body: wrongEnd(answer.body) }) },
  }));
  try {
    const { profile, models, mediaModels } = await preflight({ ...stack.profile, base_url: proxy.url });
    const collected = new Collected(() => undefined);
    await run(
      {
        targets: [{ id: 'one', stack: 'main', pool: 'main', profile, models, mediaModels }],
        jobs: checks.map((check) => ({ target: 'one', check })),
        ...{
          seed: 5,
          size: 'quick',
          path: null,
          livesOn: true,
          replayPrefix: '',
          width: 4,
          judgeAgain: true,
        },
      },
      collected,
      { atOnce: 4, bail: 0, signal: new AbortController().signal },
    );
    return collected;
  } finally {
    await proxy.close();
  }
}

/** What a report says of a check besides times and ids. */
function essence({ id, verdict, evidence, failure }: JobResult): object {
  const { cases, exchanges, cases_digest, missing, notes } = evidence;
  const { requirement, aspect, expected } = failure ?? {};
  return { id, verdict, cases, exchanges, cases_digest, missing, notes, requirement, aspect, expected };
}

describe('a few checks', () => {
  it('are judged in this process as in the worker of the test runner', async () => {
    const [worker, here] = [await judge(executeInWorker), await judge(executeHere)];
    const shown = ({ results }: Collected): object[] =>
      results.map(essence).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    expect(here.faults).toEqual([]);
    expect(here.results.map(({ verdict }) => verdict).toSorted()).toEqual(['fail', 'fail', 'pass', 'pass']);
    expect(shown(here)).toEqual(shown(worker));
    expect(here.spent?.exchanges).toBe(worker.spent?.exchanges);
  }, 120_000);
});
