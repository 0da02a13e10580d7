import { createHash } from 'node:crypto';
import type { Callback, Sign, SignatureHeaders, SignedContent } from '../../answers/callback.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { asFailed, badCallback, needsCallback, withReport } from './edit-callback.ts';

/** In place of each report comes one that its upstream did not send so. The forger reports a failure. */
export const forged: Fault = {
  id: 'W5',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => {
    const { lies, seal } = ofForm(context, forgeries);
    return {
      report: (given, observation) => {
        const sent = badCallback(lies ? withReport(given, asFailed) : given, observation);
        return [{ ...sent, forge: (honest, sign) => seal({ honest, sign, given, sent }) }];
      },
    };
  },
};

/** What a forger has before him. */
interface Desk {
  readonly honest: SignatureHeaders;
  readonly sign: Sign;
  /** What the upstream would have said, and what is said in its place. */
  readonly given: Callback;
  readonly sent: Callback;
}

interface Forgery {
  /** Whether it says something else than the upstream. */
  readonly lies: boolean;
  readonly seal: (desk: Desk) => Readonly<Record<string, string>>;
}

const signature = 'callback-signature';

const forgeries: Readonly<Record<string, Forgery>> = {
  unsigned: { lies: true, seal: ({ honest }) => without(honest, signature) },
  'wrong-secret': signedBy((desk) => desk.sign(sealedOf(desk), 'sk-somebody-else')),
  // What was signed is another text: the sentence was changed on the way.
  'other-body': signedBy((desk) => desk.sign({ ...sealedOf(desk), body: desk.given.body })),
  'other-id': {
    lies: false,
    seal: ({ honest }) => ({ ...honest, 'callback-id': `${honest['callback-id']}0` }),
  },
  // An old report made fresh by its time alone.
  'other-time': { lies: false, seal: ({ honest }) => ({ ...honest, 'callback-timestamp': earlier(honest) }) },
  'no-id': { lies: false, seal: ({ honest }) => without(honest, 'callback-id') },
  'no-time': { lies: false, seal: ({ honest }) => without(honest, 'callback-timestamp') },
  empty: signedBy(() => 'v1='),
  cut: { lies: false, seal: ({ honest }) => ({ ...honest, [signature]: honest[signature].slice(0, 35) }) },
  'plain-hash': signedBy((desk) => `v1=${hashOf(sealedOf(desk))}`),
  'other-version': {
    lies: false,
    seal: ({ honest }) => ({ ...honest, [signature]: honest[signature].replace('v1=', 'v0=') }),
  },
  'empty-secret': signedBy((desk) => desk.sign(sealedOf(desk), '')),
};

function signedBy(signed: (desk: Desk) => string): Forgery {
  return { lies: true, seal: (desk) => ({ ...desk.honest, [signature]: signed(desk) }) };
}

function sealedOf({ honest, sent }: Desk): SignedContent {
  return { id: honest['callback-id'], timestamp: honest['callback-timestamp'], body: sent.body };
}

/** Fresh as well, but not the second that was signed. */
function earlier(honest: SignatureHeaders): string {
  return String(Number(honest['callback-timestamp']) - 1);
}

/** What a sender without the key can compute. */
function hashOf({ id, timestamp, body }: SignedContent): string {
  const hash = createHash('sha256').update(`${id}.${timestamp}.`);
  for (const piece of body) hash.update(piece);
  return hash.digest('hex');
}

function without(honest: SignatureHeaders, name: keyof SignatureHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(honest).filter(([one]) => one !== name));
}
