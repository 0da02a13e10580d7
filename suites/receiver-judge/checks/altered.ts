import type { Rng } from '../../values/seed.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { type Draft, isTaken } from '../session.ts';

const parts = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'body'] as const;
type Part = (typeof parts)[number];

/** How many bits are flipped in each part. */
const flipsEach = 4;
const requirement = 'RECV-004';

/** An event with one bit changed on the way is refused. */
export const altered: ReceiverCheck = {
  id: 'receiver.altered',
  title: 'an event with one changed bit is refused',
  rule: requirement,
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.anything' }, { check: 'receiver.forged' }],
  run: async (caseJudge) => {
    const { session, rng } = caseJudge;
    for (const part of parts) {
      for (let n = 0; n < flipsEach; n += 1) {
        const { draft, what } = flipped(session.draft(), part, rng);
        const delivery = await session.deliver(what, draft, 0);
        caseJudge.refuses(delivery, { requirement, aspect: part, what });
      }
    }
    const folded = withSignature(session.draft(), (text) => text.toLowerCase());
    const what = 'an event with its signature in lower case';
    caseJudge.refuses(await session.deliver(what, folded, 0), {
      requirement,
      aspect: 'webhook-signature',
      what,
    });
    await adviseOnVersion(caseJudge);
    await caseJudge.stillAccepts();
  },
};

/** Warns when a receiver ignores the version, because it would accept signatures of a later scheme as ones of this scheme. */
async function adviseOnVersion(caseJudge: CaseJudge): Promise<void> {
  const { session } = caseJudge;
  const other = withSignature(session.draft(), (text) => text.replace('v1,', 'v2,'));
  const what = 'an event with only a signature of version v2';
  const delivery = await session.deliver(what, other, 0);
  if (!isTaken(delivery)) return;
  const { exchange } = delivery;
  const actual = `${said(exchange)}; it ignores the version of a signature`;
  caseJudge.advise({ requirement, aspect: 'version', expected: `4xx for ${what}`, actual, exchange });
}

/** The draft with one flipped bit in a part, so that it can still be sent and shown. */
function flipped(draft: Draft, part: Part, rng: Rng): { draft: Draft; what: string } {
  const value = part === 'body' ? draft.body : Buffer.from(headerIn(draft, part));
  const places = [...value].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6]
      .map((bit) => ({ at, byte: byte ^ (1 << bit) }))
      .filter(({ byte: now }) => isVisible(now)),
  );
  const changed = places.map(({ at, byte }) => ({ at, bytes: value.with(at, byte) }));
  const telling = changed.filter(({ bytes }) => part !== 'webhook-signature' || isOtherCode(value, bytes));
  const { at, bytes } = rng.pick(telling);
  const what = `an event with one bit changed in ${part === 'body' ? 'its body' : part}, byte ${at}`;
  if (part === 'body') return { draft: { ...draft, body: Buffer.from(bytes) }, what };
  const text = Buffer.from(bytes).toString('latin1');
  const headers = draft.headers.map(([name, old]) => [name, name === part ? text : old] as const);
  return { draft: { ...draft, headers }, what };
}

/**
 * Whether the signature decodes to other bytes.
 * The last base64 character has unused bits, and a receiver that compares bytes may ignore them. The version is
 * tested separately.
 */
function isOtherCode(value: Uint8Array, changed: Uint8Array): boolean {
  const [before = '', after = ''] = [value, changed].map((bytes) => Buffer.from(bytes).toString('latin1'));
  const code = (text: string): Buffer => Buffer.from(text.slice('v1,'.length), 'base64');
  return after.startsWith('v1,') && !code(before).equals(code(after));
}

function withSignature(draft: Draft, change: (text: string) => string): Draft {
  const headers = draft.headers.map(
    ([name, value]) => [name, name === 'webhook-signature' ? change(value) : value] as const,
  );
  return { ...draft, headers };
}

function headerIn(draft: Draft, part: Part): string {
  return draft.headers.find(([name]) => name === part)?.[1] ?? '';
}

/** Visible ASCII: headers and shells keep it unchanged. */
function isVisible(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}
