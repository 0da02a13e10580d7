import { expect, it } from 'vitest';
import { Untestable, Violation } from '../rules/violation.ts';
import { answeredByCode } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { ForeignTraffic } from './foreign-traffic.ts';
import { SlotWatch } from './slot-watch.ts';

const capped = answeredByCode(429, 'concurrency_exceeded');
const good = answeredByCode(200);
const invalid = answeredByCode(400, 'invalid_param');

/** The outcome of a call that gets these answers in turn, and how often it was sent. */
async function passed(
  watch: SlotWatch,
  answers: readonly Exchange[],
  probes: readonly Exchange[],
): Promise<{ status: number | undefined; sent: number }> {
  let [sent, asked] = [0, 0];
  const at = (list: readonly Exchange[], place: number): Exchange =>
    list[Math.min(place, list.length - 1)] ?? good;
  const exchange = await watch.pass({
    key: 'k',
    send: () => Promise.resolve(at(answers, sent++)),
    probe: () => Promise.resolve(at(probes, asked++)),
    signal: new AbortController().signal,
  });
  return { status: exchange.response?.status, sent };
}

it('sends a call once when the cap lets it through', async () => {
  expect(await passed(new SlotWatch(null), [good], [])).toEqual({ status: 200, sent: 1 });
});

it('sends a call again once a slot is free', async () => {
  expect(await passed(new SlotWatch(null), [capped, capped, good], [capped, capped])).toEqual({
    status: 200,
    sent: 3,
  });
});

it('leaves a refusal by the cap to the check when a slot is free', async () => {
  expect(await passed(new SlotWatch(null), [capped], [invalid])).toEqual({ status: 429, sent: 2 });
});

it('retries a call when other users of the account may take the free slot', async () => {
  const watch = new SlotWatch(new ForeignTraffic());
  expect(await passed(watch, [capped, capped, good], [invalid])).toEqual({ status: 200, sent: 3 });
  expect(await passed(watch, [capped], [invalid])).toEqual({ status: 429, sent: 4 });
});

it('fails once when no slot becomes free, then is untestable until one does', async () => {
  const watch = new SlotWatch(null, 300);
  await expect(passed(watch, [capped], [capped])).rejects.toThrow(Violation);
  await expect(passed(watch, [capped], [capped])).rejects.toThrow(Untestable);
  expect(await passed(watch, [capped, good], [invalid])).toEqual({ status: 200, sent: 2 });
});

it('a limit of calls by time says nothing of slots', async () => {
  const { response } = capped;
  if (response === null) throw new Error('the sample has no answer');
  const body = Buffer.from('{"error":{"code":"concurrency_exceeded","message":"20 requests per minute"}}');
  const limited = { ...capped, response: { ...response, body } };
  await expect(passed(new SlotWatch(null, 300), [limited], [limited])).rejects.toThrow(
    'http.calls_per_minute',
  );
});
