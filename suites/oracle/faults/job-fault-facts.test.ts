import { describe, expect, it } from 'vitest';
import { faultCheckId, loadPictureFaults } from './fault-facts.ts';
import {
  type JobFaultFacts,
  jobCellsOf,
  loadJobFaults,
  readJobFaults,
  taskVerdictOf,
} from './job-fault-facts.ts';
import { rowsOfJobFault } from './job-fault-verdict.ts';

const facts: JobFaultFacts = {
  id: 'J7',
  name: 'success-no-url',
  wire: 'The job is done, and nothing is there.',
  cause: 'of the test',
  dialects: ['jobs', 'callback-jobs'],
  forms: ['null', 'late'],
  task: {
    ends: ['FAILED'],
    codes: ['upstream_error'],
    jobs: [1, 1],
    charge: 'nothing',
    links: 'none',
    deadline: null,
  },
  exceptions: [{ forms: ['late'], task: { ends: ['SUCCESS'], codes: [], charge: 'made', links: 'work' } }],
};
const whole = { ...facts, calls: ['submit'] };
const withTask = (task: object): object => ({ ...whole, task: { ...facts.task, ...task }, exceptions: [] });

describe('readJobFaults', () => {
  it('reads facts that fit their schema', () => {
    expect(readJobFaults([whole], 'sample')).toEqual([whole]);
  });

  it.each<[string, object]>([
    ['an unknown member', { ...whole, color: 'red' }],
    ['a fault of calls', { ...whole, task: undefined, verdict: { seen: ['served'] } }],
    ['an unknown code', withTask({ codes: ['upstream_sad'] })],
    ['a failure without a code', withTask({ codes: [] })],
    ['a charge for nothing', withTask({ charge: 'made' })],
    ['links to nothing', withTask({ links: 'work' })],
    ['jobs the wrong way round', withTask({ jobs: [2, 1] })],
    ['a success that is free', { ...whole, exceptions: [{ forms: ['late'], task: { ends: ['SUCCESS'] } }] }],
  ])('refuses %s', (_, wrong) => {
    expect(() => readJobFaults([JSON.parse(JSON.stringify(wrong))], 'sample')).toThrow(/^sample/);
  });
});

it('applies the exceptions of a cell to the general verdict', () => {
  const ends = jobCellsOf(facts).map((cell) => [cell.dialect, cell.form, taskVerdictOf(facts, cell).ends[0]]);
  expect(ends).toEqual([
    ['jobs', 'null', 'FAILED'],
    ['jobs', 'late', 'SUCCESS'],
    ['callback-jobs', 'null', 'FAILED'],
    ['callback-jobs', 'late', 'SUCCESS'],
  ]);
});

describe('the catalogue', () => {
  it('contains 18 job faults and two image faults, with unique names', () => {
    const all = [...loadJobFaults(), ...loadPictureFaults()];
    expect(all.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 18 }, (_, at) => `J${at + 1}`),
      'M12',
      'M13',
    ]);
    expect(new Set(all.map(faultCheckId)).size).toBe(20);
  });

  it("has a rule about the task's end for each job fault", () => {
    for (const one of loadJobFaults()) expect(rowsOfJobFault(one)[0]).toMatch(/^STATE-00[567]$/);
  });
});
