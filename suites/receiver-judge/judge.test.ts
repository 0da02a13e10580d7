import { expect, it } from 'vitest';
import { judgeSample, type SampleJudgement, sampleSecret, stillClock } from './testing/judge-sample.ts';
import type { Defect } from './testing/sample-receiver.ts';

/** Every result other than a plain pass, with its reason: 'fail receiver.stale no-age'. */
async function found(options: SampleJudgement): Promise<string[]> {
  const results = await judgeSample(options);
  return results
    .filter(({ verdict, evidence }) => verdict !== 'pass' && !isStopped(evidence.notes))
    .map(({ verdict, id, failure, evidence }) =>
      [verdict, id, failure?.aspect ?? evidence.missing.join()].join(' '),
    );
}

function isStopped([note = '']: readonly string[]): boolean {
  return note.startsWith('not judged');
}

it.each([true, false])('reports nothing for a correct receiver (effects: %s)', async (effects) => {
  expect(await found({ effects })).toEqual([]);
});

const missing = '--effects URL';

const flaws: Readonly<Record<Defect, string[]>> = {
  'no signature check': ['fail receiver.forged other-secret'],
  'unsigned events pass': ['fail receiver.forged unsigned'],
  'signatures in any case': ['fail receiver.altered webhook-signature'],
  'any version': ['warn receiver.altered version'],
  'compares the beginning': ['fail receiver.forged cut-short'],
  'first signature only': ['fail receiver.signatures several'],
  're-serialises': ['fail receiver.raw-body re-serialised'],
  'also verifies re-serialised JSON': ['fail receiver.raw-body same-json'],
  'no age check': ['fail receiver.stale no-age'],
  'accepts the future': ['fail receiver.future no-bound'],
  'limit of ten minutes': ['fail receiver.stale bound', 'fail receiver.future bound'],
  'limit of one minute': ['warn receiver.recent bound'],
  'age by the unsigned header': ['fail receiver.signed-age unsigned-age'],
  'loose timestamp': ['warn receiver.timestamp loose'],
  'processes duplicates': ['fail receiver.duplicate processed-again'],
  races: ['fail receiver.duplicates-at-once processed-again'],
  'remembers forged ids': ['fail receiver.forged-first spoilt'],
  'distinguishes events by their bodies': ['warn receiver.same-body same-body'],
  'requires events in order': ['fail receiver.reordered reordered'],
  'answers 200 to everything': [
    'fail receiver.anything anything',
    `untestable receiver.duplicate ${missing}`,
    `untestable receiver.duplicates-at-once ${missing}`,
  ],
  redirects: ['fail receiver.fresh accepted'],
  'breaks on bad events': ['warn receiver.anything status'],
  'silent on bad events': ['warn receiver.anything status'],
  'key is the text of the secret': ['fail receiver.fresh accepted'],
  'stops after forgeries': ['fail receiver.forged still-accepts'],
};

it.each(Object.keys(flaws) as Defect[])(
  'names what is wrong with a receiver, and nothing else: %s',
  async (defect) => {
    expect(await found({ defect })).toEqual(flaws[defect]);
  },
);

it('also detects a flaw by its effects, whatever the receiver answers', async () => {
  const effects = true;
  expect(await found({ defect: 'processes duplicates', effects, reports: false })).toEqual(
    flaws['processes duplicates'],
  );
  expect(await found({ defect: 'races', effects, reports: false })).toEqual(flaws.races);
  expect(await found({ defect: 'no signature check', effects, reports: false })).toEqual(
    flaws['no signature check'],
  );
});

it('finds the same with any seed', async () => {
  for (const seed of [1, 2, 3]) {
    expect(await found({ seed })).toEqual([]);
    expect(await found({ seed, defect: 'any version' })).toEqual(flaws['any version']);
  }
});

it('passes a plain handler that answers only 200, and cannot judge its duplicates', async () => {
  expect(await found({ reports: false })).toEqual(
    ['duplicate', 'duplicates-at-once'].map((name) => `untestable receiver.${name} ${missing}`),
  );
  expect(await found({ reports: false, effects: true })).toEqual([]);
});

it('warns about a receiver that answers 200 to everything but ignores bad events', async () => {
  const quiet = await judgeSample({ defect: 'answers 200 to everything', effects: true });
  const warned = quiet.filter(({ verdict }) => verdict !== 'pass');
  expect(warned.map(({ id, failure }) => [id, failure?.actual])).toEqual([
    ['receiver.anything', 'HTTP 200, though it had no effect'],
  ]);
});

it('sends each exact age when answers have a date, and otherwise keeps a margin', async () => {
  const [exact] = await judgeSample({ only: ['receiver.recent'] });
  expect(exact?.evidence.notes).toEqual([
    'HTTP 200',
    ...['300 s old', '299 s ahead', '300 s ahead'].map(
      (age) => `${age}: HTTP 200 {"received":true,"duplicate":false}`,
    ),
  ]);
  const [kept] = await judgeSample({ only: ['receiver.recent'], date: false });
  expect(kept?.evidence.notes[1]).toContain('no Date header');
  expect(await found({ date: false })).toEqual([]);
});

it.each([7, -29])('computes ages by the clock of a receiver that is %i s ahead', async (aheadSeconds) => {
  expect(await found({ aheadSeconds })).toEqual([]);
  expect(await found({ aheadSeconds, defect: 'accepts the future' })).toEqual(flaws['accepts the future']);
});

it('keeps a margin to the bounds for a receiver that takes longer than a second', async () => {
  expect(await found({ latencyMs: 1_300 })).toEqual([]);
  expect(await found({ latencyMs: 1_300, defect: 'accepts the future' })).toEqual(
    flaws['accepts the future'],
  );
});

it('sends an event again when its connection was closed', async () => {
  expect(await found({ cut: 10 })).toEqual([]);
  expect(await found({ cut: 40, effects: true })).toEqual([]);
});

it('waits 15 s for the first missing answer, and less for later ones', async () => {
  const clock = stillClock();
  const start = clock.now();
  await judgeSample({ defect: 'silent on bad events' }, clock);
  expect(clock.now() - start).toBeGreaterThan(15_000);
  expect(clock.now() - start).toBeLessThan(100_000);
});

it('judges a receiver with a wrong clock by that clock, and warns about it', async () => {
  const results = await judgeSample({ aheadSeconds: -3_600 });
  const [first, ...others] = results;
  expect(first).toMatchObject({ verdict: 'warn', failure: { aspect: 'clock' } });
  expect(first?.failure?.actual).toContain('its clock is 3600 s behind ours');
  expect(others.map(({ verdict }) => verdict)).toEqual(others.map(() => 'pass'));
});

it.each([
  ['redirects', 'HTTP 308; the gateway follows no redirect'],
  ['key is the text of the secret', 'it accepts events signed with the text of the whole secret'],
] as const)('names the likely reason when even a genuine event is refused: %s', async (defect, hint) => {
  const [first, ...others] = await judgeSample({ defect });
  expect(first?.failure?.actual).toContain(hint);
  const notes = new Set(others.map(({ evidence }) => evidence.notes[0]));
  expect([...notes]).toEqual(['not judged: receiver.fresh failed, which explains it']);
});

it('reports the event, expected and actual answer, twin and replay command, without the secret', async () => {
  const results = await judgeSample({ defect: 'accepts the future' });
  const failure = results.find(({ verdict }) => verdict === 'fail')?.failure;
  expect(failure).toMatchObject({
    requirement: 'RECV-008',
    expected: '4xx, and no effect, for an event with a timestamp of tomorrow',
    actual: 'HTTP 200 {"received":true,"duplicate":false}',
    twin: { label: 'a genuine event', response: { status: 200 } },
    replay: 'npx gatecheck receiver http://sample --only receiver.future --seed 8',
  });
  expect(failure?.curl).toMatch(
    /^curl -sS -i -X POST 'http:\/\/sample' .*-H 'webhook-signature: v1,\S+' --data-binary '{/,
  );
  expect(JSON.stringify(results)).not.toContain(sampleSecret.slice('whsec_'.length, -4));
});

it('judges only the selected checks, after their prerequisites', async () => {
  const only = ['receiver.future'];
  const ids = async (defect: Defect | null): Promise<string[]> =>
    (await judgeSample({ only, defect })).map(({ id, verdict }) => `${verdict} ${id}`);
  expect(await ids(null)).toEqual(['pass receiver.future']);
  expect(await ids('no age check')).toEqual(['fail receiver.stale', 'untestable receiver.future']);
});
