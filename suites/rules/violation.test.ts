import { expect, it } from 'vitest';
import {
  advise,
  collecting,
  type Finding,
  flag,
  must,
  part,
  revising,
  throwing,
  Violation,
} from './violation.ts';

const finding = (aspect: string): Finding => ({
  requirement: 'R-1',
  aspect,
  expected: 'this',
  actual: 'that',
});

function collected(): { readonly aspects: string[]; readonly collect: (found: Finding) => void } {
  const aspects: string[] = [];
  return { aspects, collect: ({ aspect }) => aspects.push(aspect) };
}

it('continues after a flagged violation while a collector is active, even after a wait', async () => {
  const { aspects, collect } = collected();
  await collecting(collect, async () => {
    flag(false, finding('first'));
    await Promise.resolve();
    flag(true, finding('none'));
    flag(false, finding('second'));
  });
  expect(aspects).toEqual(['first', 'second']);
});

it('throws a flagged violation without a collector, and inside `throwing`', () => {
  expect(() => flag(false, finding('x'))).toThrow(Violation);
  const { aspects, collect } = collected();
  expect(() => collecting(collect, () => throwing(() => flag(false, finding('x'))))).toThrow(Violation);
  expect(aspects).toEqual([]);
});

it('collects advice separately, and drops it without a collector', () => {
  const found: (true | undefined)[] = [];
  collecting(
    ({ isAdvice }) => found.push(isAdvice),
    () => {
      advise(true, finding('none'));
      advise(false, finding('advice'));
      flag(false, finding('rule'));
    },
  );
  expect(found).toEqual([true, undefined]);
  expect(() => advise(false, finding('x'))).not.toThrow();
});

it('runs each part after a violation in an earlier one, but not after another error', async () => {
  const { aspects, collect } = collected();
  const work = async (): Promise<void> => {
    await part(async () => must(false, finding('one')));
    await part(async () => must(false, finding('two')));
    await part(() => Promise.reject(new TypeError('broken')));
  };
  await expect(collecting(collect, work)).rejects.toThrow(TypeError);
  expect(aspects).toEqual(['one', 'two']);
  await expect(part(async () => must(false, finding('one')))).rejects.toThrow(Violation);
});

it('revises findings, flagged or thrown, but not other errors', () => {
  const { aspects, collect } = collected();
  const revise = (found: Finding): Finding => ({ ...found, aspect: `${found.aspect}, revised` });
  const work = (): void =>
    revising(revise, () => {
      flag(false, finding('flagged'));
      must(false, finding('thrown'));
    });
  expect(() => collecting(collect, work)).toThrow('thrown, revised');
  expect(aspects).toEqual(['flagged, revised']);
  const broken = (): void => {
    throw new TypeError('broken');
  };
  expect(() => revising(revise, broken)).toThrow(TypeError);
});
