import { describe, expect, it } from 'vitest';
import { faultCheckId } from './fault-facts.ts';
import { loadWebhookFaults, readWebhookFaults, receiverVerdictOf } from './webhook-fault-facts.ts';
import { rowsOfReceiverFault, rowsOfReportFault } from './webhook-fault-verdict.ts';

const task = {
  ends: ['SUCCESS'],
  codes: [],
  jobs: [1, 1],
  charge: 'made',
  links: 'work',
  deadline: null,
};
const report = {
  id: 'W5',
  name: 'forged',
  wire: 'somebody else signs',
  cause: 'of the test',
  dialects: ['callback-jobs'],
  calls: ['submit'],
  forms: ['unsigned', 'cut'],
  task,
  answers: { '*': [401], cut: [401, null] },
};
const receiver = {
  id: 'W9',
  name: 'receiver-fails',
  wire: 'nobody takes an event',
  cause: 'of the test',
  receiver: 'it answers 5xx',
  forms: ['server-error', 'gone'],
  task,
  delivery: { attempts: [2, null], ids: 1 },
  exceptions: [{ forms: ['gone'], delivery: { attempts: [1, 1] } }],
};

describe('readWebhookFaults', () => {
  it('distinguishes faults of reports from faults of receivers', () => {
    expect(readWebhookFaults([report, receiver], 'sample')).toEqual({
      reports: [report],
      receivers: [receiver],
    });
  });

  it.each<[string, object]>([
    ['a receiver that speaks a dialect', { ...receiver, dialects: ['jobs'], calls: ['submit'] }],
    ['a receiver without deliveries', { ...receiver, delivery: undefined }],
    ['a report of nobody', { ...report, dialects: undefined }],
    ['no answers', { ...report, answers: undefined }],
    ['no usual answer', { ...report, answers: { cut: [401] } }],
    ['answers to a form that is not there', { ...report, answers: { '*': [401], late: [200] } }],
    ['an answer that is no status', { ...report, answers: { '*': [42] } }],
    [
      'an end without its code',
      { ...report, task: { ...task, ends: ['FAILED'], charge: 'nothing', links: 'none' } },
    ],
  ])('refuses %s', (_, wrong) => {
    expect(() => readWebhookFaults([JSON.parse(JSON.stringify(wrong))], 'sample')).toThrow(/^sample/);
  });

  it('applies the exceptions of a receiver to the general verdict', () => {
    const [facts] = readWebhookFaults([receiver], 'sample').receivers;
    if (facts === undefined) throw new Error('no facts');
    expect(receiverVerdictOf(facts, 'server-error').delivery).toEqual({ attempts: [2, null], ids: 1 });
    expect(receiverVerdictOf(facts, 'gone').delivery).toEqual({ attempts: [1, 1], ids: 1 });
    expect(receiverVerdictOf(facts, 'gone').task).toEqual(task);
  });
});

describe('the catalogue', () => {
  const { reports, receivers } = loadWebhookFaults();

  it('contains ten faults of reports and receivers', () => {
    expect([...reports, ...receivers].map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, place) => `W${place + 1}`),
    );
    expect(new Set([...reports, ...receivers].map(faultCheckId)).size).toBe(10);
  });

  it("names the requirements of each once, with that of the task's or the event's state first", () => {
    for (const rows of [...reports.map(rowsOfReportFault), ...receivers.map(rowsOfReceiverFault)]) {
      expect(rows[0]).toMatch(/^(?:STATE|HOOK)-/);
      expect(new Set(rows).size).toBe(rows.length);
    }
  });
});
