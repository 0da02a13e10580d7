import type { ReceiverCheck } from '../check.ts';

const requirement = 'RECV-005';

/** The signature covers the body as it arrived, not the output of a JSON parser. */
export const rawBody: ReceiverCheck = {
  id: 'receiver.raw-body',
  title: 'the body is verified as the bytes that arrived',
  rule: requirement,
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.anything' }, { check: 'receiver.forged' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    for (const [words, spell] of spellings) {
      const what = `a genuine event whose JSON is written ${words}`;
      const body = Buffer.from(spell(session.draft().body.toString('utf8')));
      const delivery = await session.deliver(what, session.draft({ body }), 1);
      caseJudge.accepts(delivery, { requirement, aspect: 're-serialised', what });
    }
    const other = session.draft();
    const spaced = Buffer.from(withBlanks(other.body.toString('utf8')));
    const what = 'an event with spaces added to its JSON after it was signed';
    caseJudge.refuses(await session.deliver(what, { ...other, body: spaced }, 0), {
      requirement,
      aspect: 'same-json',
      what,
    });
    await caseJudge.stillAccepts();
  },
};

/** The same event as other JSON writers format it. */
const spellings: readonly (readonly [words: string, spell: (text: string) => string])[] = [
  ['with blanks', withBlanks],
  [
    'with escapes and beyond ASCII',
    (text) => text.replace('{', String.raw`{"note":"caf\u00e9 – Ω","path":"a\/b",`),
  ],
  ['with a decimal point', (text) => text.replace(/("duration_sec":\d+)/, '$1.0')],
];

function withBlanks(text: string): string {
  return text.replaceAll(/(["\d\]}]),"/g, '$1, "').replaceAll('":', '": ');
}
