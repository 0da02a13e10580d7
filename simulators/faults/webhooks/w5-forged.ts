import { createHash } from 'node:crypto';
import type { Callback, Sign, SignatureHeaders, SignedContent } from '../../answers/callback.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { asFailed, badCallback, needsCallback, withReport } from './edit-callback.ts';

/** A forged callback replaces each real one. Some forgeries report a failure. */
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

/** The input of a forgery. */
interface Desk {
  readonly honest: SignatureHeaders;
  readonly sign: Sign;
  /** The real callback, and the one that replaces it. */
  readonly given: Callback;
  readonly sent: Callback;
}

interface Forgery {
  /** Whether the forged callback reports something else than the upstream. */
  readonly lies: boolean;
  readonly seal: (desk: Desk) => Readonly<Record<string, string>>;
}

const signature = 'callback-signature';

const forgeries: Readonly<Record<string, Forgery>> = {
  unsigned: { lies: true, seal: ({ honest }) => without(honest, signature) },
  'wrong-secret': signedBy((desk) => desk.sign(sealedOf(desk), 'sk-somebody-else')),
  // The signature covers the original body, as if the body was changed in transit.
  'other-body': signedBy((desk) => desk.sign({ ...sealedOf(desk), body: desk.given.body })),
  'other-id': {
    lies: false,
    seal: ({ honest }) => ({ ...honest, 'callback-id': `${honest['callback-id']}0` }),
  },
  // An old callback with a new timestamp.
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

/** Also recent, but not the signed second. */
function earlier(honest: SignatureHeaders): string {
  return String(Number(honest['callback-timestamp']) - 1);
}

/** The hash that a sender without the key can compute. */
function hashOf({ id, timestamp, body }: SignedContent): string {
  const hash = createHash('sha256').update(`${id}.${timestamp}.`);
  for (const piece of body) hash.update(piece);
  return hash.digest('hex');
}

function without(honest: SignatureHeaders, name: keyof SignatureHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(honest).filter(([one]) => one !== name));
}
