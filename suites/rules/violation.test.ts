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

it('goes on after a flagged violation where something collects it, also after a wait', async () => {
  const { aspects, collect } = collected();
  await collecting(collect, async () => {
    flag(false, finding('first'));
    await Promise.resolve();
    flag(true, finding('none'));
    flag(false, finding('second'));
  });
  expect(aspects).toEqual(['first', 'second']);
});

it('throws a flagged violation where nothing collects, and where it is to be caught', () => {
  expect(() => flag(false, finding('x'))).toThrow(Violation);
  const { aspects, collect } = collected();
  expect(() => collecting(collect, () => throwing(() => flag(false, finding('x'))))).toThrow(Violation);
  expect(aspects).toEqual([]);
});

it('collects advice as such, and drops it where nothing collects', () => {
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

it('runs each part although the one before it found a violation, but not after another error', async () => {
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

it('changes what is found, flagged or thrown, and leaves other errors alone', () => {
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
