import { expect, it } from 'vitest';
import { answeredByCode } from '../testing/sample-exchange.ts';
import { ForeignTraffic } from './foreign-traffic.ts';

const capped = answeredByCode(429, 'concurrency_exceeded');
const good = answeredByCode(200);

function trafficAt(): { traffic: ForeignTraffic; pass: (ms: number) => void } {
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  return { traffic: new ForeignTraffic(0, () => now), pass };
}

it('is detected by a refusal by the cap while no other call of the run can have a slot', () => {
  const { traffic, pass } = trafficAt();
  traffic.begin()(good);
  pass(200);
  traffic.begin()(capped);
  traffic.waited(1_200);
  expect(traffic.sightings).toBe(1);
  expect(traffic.sentence()).toContain('once the cap refused a call');
  expect(traffic.sentence()).toContain('2 s were waited');
});

it('is not alone to blame where a refusal speaks of calls per minute', () => {
  const { traffic } = trafficAt();
  const { response } = capped;
  if (response === null) throw new Error('the sample has no answer');
  const body = Buffer.from('{"error":{"code":"concurrency_exceeded","message":"60 requests per minute"}}');
  traffic.begin()({ ...capped, response: { ...response, body } });
  expect(traffic.sentence()).toContain('declare "http: { calls_per_minute: 60 }"');
});

it('is not blamed when no slot is freed any more, because the deployment may leak slots', () => {
  const { traffic, pass } = trafficAt();
  traffic.begin()(good);
  for (let call = 0; call < 30; call += 1) {
    pass(3_000);
    traffic.begin()(capped);
  }
  expect(traffic.sentence()).toMatch(/^30 times, to the end, .*stay taken \(LIM-004\)/);
  expect(traffic.sentence()).not.toContain('another client uses');
  traffic.begin()(good);
  expect(traffic.sentence()).toContain(
    'another client uses the account of the key, or slots of calls that ended stay taken for a while (LIM-004): 30 times',
  );
});

it('is not inferred from refusals that the run may have caused itself', () => {
  const { traffic, pass } = trafficAt();
  // Together with another call, in either order of their starts.
  const one = traffic.begin();
  const other = traffic.begin();
  other(capped);
  one(capped);
  // Just after a call that was served, and a while after one that broke off.
  traffic.begin()(good);
  traffic.begin()(capped);
  pass(1_000);
  traffic.begin()({ ...good, response: null, error: 'aborted' });
  pass(5_000);
  traffic.begin()(capped);
  expect(traffic.sentence()).toBeNull();
  pass(2_000);
  traffic.begin()(capped);
  expect(traffic.sightings).toBe(1);
});

it('is not inferred from other refusals', () => {
  const { traffic } = trafficAt();
  traffic.begin()(answeredByCode(429, 'rate_limit_exceeded'));
  traffic.begin()(answeredByCode(400, 'concurrency_exceeded'));
  expect(traffic.sightings).toBe(0);
});

it('is detected by changing account figures, and by refusals before the run', () => {
  const traffic = new ForeignTraffic(2);
  traffic.moved();
  expect(traffic.sentence()).toContain('2 times the cap refused a call');
  expect(traffic.sentence()).toContain('once its figures moved');
});
