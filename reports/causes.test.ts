import { describe, expect, it } from 'vitest';
import {
  type Cause,
  causeCounts,
  companionsOf,
  elsewhereIn,
  groupByCause,
  placesOf,
  sizeOf,
} from './causes.ts';
import type { CheckResult, Failure, Verdict } from './report.ts';
import { wrongParam } from './testing/sample-failures.ts';
import { sampleReport } from './testing/sample-report.ts';

interface Red {
  id: string;
  blames?: string;
  aspect?: string;
  covers?: string;
  verdict?: Verdict;
  failure?: Partial<Failure>;
}

function red({ id, blames = 'ERR-024', aspect = 'shape', covers = 'CHAT-001', ...rest }: Red): CheckResult {
  const [sample] = sampleReport().checks;
  if (sample === undefined) throw new Error('the sample has no check');
  const replay = `npx gatecheck run --only ${id} --seed 1`;
  return {
    ...sample,
    id,
    requirements: [covers],
    verdict: rest.verdict ?? 'fail',
    failure: { ...structuredClone(wrongParam), requirement: blames, aspect, replay, ...rest.failure },
  };
}

function withBody(body: string): Partial<Failure> {
  const { exchange } = structuredClone(wrongParam);
  if (exchange !== null) exchange.request.body = body;
  return { exchange };
}

function broken(id: string, actual: string): CheckResult {
  return red({ id, verdict: 'harness-error', aspect: 'harness', failure: { actual } });
}

function shape(causes: readonly Cause[]): string[] {
  return causes.map(({ representative, others }) =>
    [representative, ...others].map(({ id }) => id).join(' '),
  );
}

describe('groupByCause', () => {
  it('groups checks that blame the same requirement for the same aspect', () => {
    const checks = [
      red({ id: 'a' }),
      red({ id: 'b', aspect: 'status' }),
      red({ id: 'c' }),
      red({ id: 'd', blames: 'ERR-002' }),
    ];
    expect(shape(groupByCause(checks))).toEqual(['a c', 'b', 'd']);
  });

  it('represents a cause by a check that covers the blamed requirement', () => {
    const checks = [red({ id: 'a' }), red({ id: 'b', covers: 'ERR-024' }), red({ id: 'c' })];
    expect(shape(groupByCause(checks))).toEqual(['b a c']);
  });

  it('prefers the shortest exchange, then the first check, and any exchange over none', () => {
    const none = red({ id: 'none', failure: { exchange: null } });
    const long = red({ id: 'long', failure: withBody('x'.repeat(500)) });
    const short = red({ id: 'short', failure: withBody('x') });
    const equal = red({ id: 'equal', failure: withBody('y') });
    expect(shape(groupByCause([none, long, short, equal]))).toEqual(['short none long equal']);
    expect(shape(groupByCause([none, long]))).toEqual(['long none']);
    expect(shape(groupByCause([none, { ...none, id: 'none-too' }]))).toEqual(['none none-too']);
    const covering = red({ id: 'covering', covers: 'ERR-024', failure: withBody('x'.repeat(900)) });
    expect(shape(groupByCause([short, covering]))).toEqual(['covering short']);
  });

  it('orders by whether the blamed requirement is covered, then by number of checks, then by position', () => {
    const checks = [
      broken('broken-1', 'TypeError: no'),
      broken('broken-2', 'TypeError: no'),
      red({ id: 'one', aspect: 'x' }),
      red({ id: 'two', aspect: 'y' }),
      red({ id: 'three', aspect: 'z' }),
      red({ id: 'four', aspect: 'z' }),
      red({ id: 'five', aspect: 'w', covers: 'ERR-024' }),
    ];
    expect(shape(groupByCause(checks))).toEqual(['five', 'three four', 'one', 'two', 'broken-1 broken-2']);
  });

  it('orders by harm: who gets in, what is charged, what is answered, then form', () => {
    const { exchange } = structuredClone(wrongParam);
    if (exchange?.response) exchange.response.status = 200;
    const about = (requirement: string, expected = 'x'): CheckResult => {
      const failure = { requirement, expected, exchange };
      return red({ id: requirement, covers: requirement, failure });
    };
    const checks = [
      about('EP-001'),
      about('RESP-001'),
      about('BILL-001'),
      about('AUTH-001'),
      about('AUTH-003', '401 sk_disabled'),
    ];
    expect(shape(groupByCause(checks))).toEqual(['AUTH-003', 'AUTH-001', 'BILL-001', 'RESP-001', 'EP-001']);
  });

  it('groups broken checks whose messages differ only in locations and words with digits', () => {
    const checks = [
      broken('a', 'ControlError: lane-03 is gone (at suites/checks/chat/minimal.ts:12)'),
      broken('b', 'TypeError: x is undefined (at suites/checks/chat/minimal.ts:14)'),
      broken('c', 'ControlError: lane-11 is gone (at suites/checks/sse/done.ts:40)'),
      broken('d', 'TypeError: y is undefined'),
    ];
    expect(shape(groupByCause(checks))).toEqual(['a c', 'b', 'd']);
  });

  it('groups broken checks without a failure by their first note', () => {
    const checks = ['a', 'b'].map((id): CheckResult => {
      const { failure: _failure, ...check } = broken(id, '');
      return { ...check, evidence: { ...check.evidence, notes: ['TypeError: no'] } };
    });
    expect(shape(groupByCause(checks))).toEqual(['a b']);
  });

  it('groups warnings, keeps them apart from failures, and leaves what is observed or waived alone', () => {
    const of = (id: string, verdict: Verdict): CheckResult => red({ id, verdict });
    const checks = [
      of('w1', 'warn'),
      of('f1', 'fail'),
      of('w2', 'warn'),
      of('o1', 'observed'),
      of('o2', 'observed'),
      of('v1', 'waived'),
      of('v2', 'waived'),
    ];
    expect(shape(groupByCause(checks))).toEqual(['f1', 'w1 w2', 'o1', 'o2', 'v1', 'v2']);
  });

  it('leaves failed checks without a failure alone, and is empty without checks', () => {
    const bare = ['a', 'b'].map((id): CheckResult => {
      const { failure: _failure, ...check } = red({ id });
      return check;
    });
    expect(shape(groupByCause(bare))).toEqual(['a', 'b']);
    expect(groupByCause([])).toEqual([]);
  });

  it('does not modify its input', () => {
    const checks = Object.freeze([red({ id: 'a' }), red({ id: 'b', covers: 'ERR-024' })]);
    groupByCause(checks);
    expect(checks.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('companionsOf', () => {
  it('describes other checks only by their differences from the representative', () => {
    const [cause] = groupByCause([
      red({ id: 'chat.a', covers: 'ERR-024' }),
      red({ id: 'chat.b' }),
      red({ id: 'chat.c', failure: { expected: 'other', actual: '500', replay: 'run chat.c --path 3:1' } }),
    ]);
    const found = cause === undefined ? [] : companionsOf(cause);
    expect(found.map(({ check, ...rest }) => ({ id: check.id, ...rest }))).toEqual([
      { id: 'chat.b', seenIn: null, expected: null, actual: null, replay: null },
      { id: 'chat.c', seenIn: null, expected: 'other', actual: '500', replay: 'run chat.c --path 3:1' },
    ]);
  });
});

it('lists a check that saw a cause in several places only once', () => {
  const failure = structuredClone(wrongParam);
  const [cause] = groupByCause([
    red({ id: 'chat.a', covers: 'ERR-024' }),
    {
      ...red({ id: 'chat.b' }),
      also: [
        { ...failure, seen_in: 'core, beta' },
        { ...failure, seen_in: 'images' },
      ],
    },
  ]) as [Cause];
  expect(companionsOf(cause).map(({ check }) => check.id)).toEqual(['chat.b']);
});

describe('a cause that one check saw in several places', () => {
  const check = red({ id: 'chat.a', covers: 'ERR-024', failure: { seen_in: 'core, alpha' } });
  const further = { ...structuredClone(wrongParam), aspect: 'shape', seen_in: 'core, beta', actual: 'other' };
  const [cause] = groupByCause([
    { ...check, also: [{ ...further, requirement: 'ERR-024' }] },
    red({ id: 'chat.b', failure: { seen_in: 'core, beta' } }),
  ]) as [Cause];

  it('counts its checks once and names all places', () => {
    expect([sizeOf(cause), placesOf(cause)]).toEqual([2, ['core, alpha', 'core, beta']]);
    expect(causeCounts([cause])).toBe('1 cause in 2 failed checks');
  });

  it('is listed together with the findings of other checks', () => {
    expect(elsewhereIn(cause)).toMatchObject([{ seenIn: 'core, beta', actual: 'other' }]);
    expect(companionsOf(cause)).toMatchObject([{ check: { id: 'chat.b' }, seenIn: 'core, beta' }]);
  });
});

describe('causeCounts', () => {
  it.each([
    [['a a', 'b'], '2 causes in 3 failed checks'],
    [['a'], '1 cause in 1 failed check'],
    [['!x x', 'a'], '1 cause in 1 failed check, 1 cause in 2 errors'],
    [['!x', '!y'], '2 causes in 2 errors'],
    [[], ''],
  ])('counts %j as %s', (groups, text) => {
    const checks = groups.flatMap((group) => {
      const words = group.replace('!', '').split(' ');
      return words.map((word, index) =>
        group.startsWith('!')
          ? broken(`${word}${index}`, word)
          : red({ id: `${word}${index}`, aspect: word }),
      );
    });
    expect(causeCounts(groupByCause(checks))).toBe(text);
  });
});
