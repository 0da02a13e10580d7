import { expect, it } from 'vitest';
import type { Script } from '../control/protocol.ts';
import { Lane } from './lane.ts';

const texts = (...replies: string[]): Pick<Script, 'replies'> => ({
  replies: replies.map((text) => ({ text })),
});

function answers(lane: Lane, times: number, body = '', channel = 'alpha'): (string | null)[] {
  return Array.from({ length: times }, () => lane.nextReply(channel, Buffer.from(body))?.reply.text ?? null);
}

it('gives the replies in their order and then repeats the last', () => {
  const lane = new Lane('a');
  lane.arm(texts('one', 'two'));
  expect(answers(lane, 4)).toEqual(['one', 'two', 'two', 'two']);
});

it('falls to generated behaviour after the last reply when told so, not to an older script', () => {
  const lane = new Lane('a');
  lane.arm(texts('older'));
  // biome-ignore lint/suspicious/noThenProperty: a word of the control API
  lane.arm({ ...texts('one'), then: 'default' });
  expect(answers(lane, 3)).toEqual(['one', null, null]);
});

it('asks the newest script first and goes on with the older one when that is disarmed', () => {
  const lane = new Lane('a');
  lane.arm(texts('older 1', 'older 2'));
  const newer = lane.arm(texts('newer'));
  expect(answers(lane, 1)).toEqual(['newer']);
  expect(lane.disarm(String(newer))).toBe(true);
  expect(lane.disarm(String(newer))).toBe(false);
  expect(answers(lane, 2)).toEqual(['older 1', 'older 2']);
});

it('counts only the requests that match by marker and channel', () => {
  const lane = new Lane('a');
  lane.arm({ ...texts('m1', 'm2'), marker: 'mark', channel: 'beta' });
  expect(answers(lane, 1, 'no such word', 'beta')).toEqual([null]);
  expect(answers(lane, 1, 'a mark', 'alpha')).toEqual([null]);
  expect(answers(lane, 2, 'a mark', 'beta')).toEqual(['m1', 'm2']);
});

it('holds a limited number of scripts', () => {
  const lane = new Lane('a');
  const armed = Array.from({ length: 1001 }, () => lane.arm(texts('x')));
  expect(armed.filter((id) => id === null)).toHaveLength(1);
});

it('begins another era with each reset, and with nothing else', () => {
  const lane = new Lane('a');
  const { era } = lane;
  lane.arm(texts('x'));
  expect(lane.era).toBe(era);
  lane.reset();
  expect(lane.era).not.toBe(era);
});
