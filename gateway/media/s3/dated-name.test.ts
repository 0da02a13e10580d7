import { expect, it } from 'vitest';
import { createRandomIds } from '../../random-ids.ts';
import { typeOf } from '../file-name.ts';
import { datedName, timeIn } from './dated-name.ts';

const randomId = createRandomIds();
const times = [0, 1, Date.UTC(2026, 0), Date.UTC(2059, 4, 25), Date.UTC(2060, 0), Date.UTC(5000, 0)];

it('is a valid file name, contains its time, and sorts by it', () => {
  const names = times.map((at) => datedName(at, randomId(), 'mp4'));
  expect(names.map(timeIn)).toEqual(times);
  expect(names.map(typeOf)).toEqual(names.map(() => 'video/mp4'));
  expect(names.toSorted()).toEqual(names);
});

it('has no time in names that a directory store gives', () => {
  expect(timeIn(`${randomId()}.png`)).toBeNull();
  expect(timeIn('0mia0hahz_abcdefghijklm.png')).toBeNull();
  expect(timeIn('of-somebody-else')).toBeNull();
});
