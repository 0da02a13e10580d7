import { expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

const arrival = { channel: 'alpha', method: 'POST', path: '/', headers: [], atMs: 1 };

/** As many lanes as there may be, each in use. */
function full(): Lanes {
  const lanes = new Lanes();
  for (let at = 0; at < 4096; at += 1) lanes.find(`lane-${at}`)?.arm({ replies: [{ text: 'x' }] });
  return lanes;
}

it('there are no more lanes than there may be', () => {
  const lanes = full();
  expect(lanes.find('one-more')).toBeNull();
  expect(lanes.find('lane-7')).toBe(lanes.find('lane-7'));
});

it('a lane that was reset gives way to a new one, in which no number comes again', () => {
  const lanes = full();
  const old = lanes.find('lane-7');
  old?.journal.open(arrival);
  old?.reset();
  const lane = lanes.find('one-more');
  expect(lane?.name).toBe('one-more');
  expect(lane?.journal.open(arrival).n).toBe(2);
  expect(lanes.find('lane-7')).toBeNull();
});

it('a lane that was reset stays while somebody waits for its journal', () => {
  const lanes = full();
  const lane = lanes.find('lane-7');
  const unwatch = lane?.journal.watch(() => {});
  lane?.reset();
  expect(lanes.find('one-more')).toBeNull();
  unwatch?.();
  expect(lanes.find('one-more')).not.toBeNull();
});
