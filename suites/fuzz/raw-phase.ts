import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import { tlsOptionsOf } from '../wire/deployment-connection.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import { sendRaw } from '../wire/raw-socket.ts';
import { keySlot } from './grammar/subject.ts';
import { judgeRaw } from './raw/judge-raw.ts';
import { hostSlot, type RawSequence } from './raw/raw-sequence.ts';
import { failure, type Verdict } from './verdicts/verdict.ts';

/** How long an answer to bytes may take beside the time that the deployment declares for a head, ms. */
const graceMs = 8_000;
/** How long to listen for an answer that must not come, ms. */
const settleMs = 250;

export interface RawPhase {
  readonly corpus: readonly RawSequence[];
  readonly profile: Profile;
  readonly key: string;
  readonly client: WireClient;
  readonly width: number;
  readonly signal: AbortSignal;
  /** Counts a request before it is sent; false when none may be sent any more. */
  readonly spend: () => boolean;
}

export interface RawFinding {
  readonly sequence: RawSequence;
  readonly verdict: Verdict;
  readonly exchange: Exchange;
  readonly isRepeated: boolean;
}

export interface RawOutcome {
  readonly sent: number;
  readonly findings: readonly RawFinding[];
}

/** Sends every sequence of the corpus over a socket of its own, and after each asks whether the deployment lives on. */
export async function fuzzRaw(phase: RawPhase): Promise<RawOutcome> {
  const { corpus, width, signal, spend } = phase;
  const findings: RawFinding[] = [];
  let [next, sent] = [0, 0];
  const work = async (): Promise<void> => {
    for (let at = next++; at < corpus.length && !signal.aborted && spend(); at = next++) {
      const sequence = corpus[at];
      if (sequence === undefined) return;
      sent += 1;
      for (const found of await tryOne(phase, sequence)) findings.push(found);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const again: RawFinding[] = [];
  for (const finding of findings) {
    if (finding.verdict.level !== 'fail' || signal.aborted) again.push(finding);
    else again.push(await lookedAtAgain(phase, finding));
  }
  return { sent, findings: again };
}

/** Sends one sequence and judges what comes back; nothing where the run was ended meanwhile. */
export async function tryOne(
  phase: Omit<RawPhase, 'corpus' | 'width' | 'spend'>,
  sequence: RawSequence,
): Promise<RawFinding[]> {
  const { profile, key, client, signal } = phase;
  const withinMs = (profile.http.header_timeout_ms ?? 0) + graceMs;
  const { gapMs, ends } = sequence;
  const answer = await sendRaw({
    baseUrl: profile.base_url,
    tls: tlsOptionsOf(profile),
    pieces: piecesFor(sequence, profile.base_url, key),
    ...{ withinMs, signal, settleMs },
    ...(gapMs === undefined ? {} : { gapMs }),
    ...(ends === undefined ? {} : { ends }),
  });
  if (signal.aborted) return [];
  const verdicts = judgeRaw(sequence, answer, { isDirect: profile.http.direct === true, withinMs });
  const { exchange } = answer;
  const after = await client.send({
    ...{ method: 'GET', path: '/api/v1/models', headers: { authorization: `Bearer ${key}` } },
    ...{ label: `after ${sequence.name}`, signal },
  });
  const lives = signal.aborted || after.response?.status === 200 || after.response?.status === 429;
  return [
    ...verdicts.map((verdict) => ({ sequence, verdict, exchange, isRepeated: false })),
    ...(lives
      ? []
      : [
          {
            ...{ sequence, exchange: after, isRepeated: false },
            verdict: failure('does not live on', 'the next request answered as ever', outcomeOf(after)),
          },
        ]),
  ];
}

async function lookedAtAgain(phase: RawPhase, finding: RawFinding): Promise<RawFinding> {
  const again = await tryOne(phase, finding.sequence);
  return { ...finding, isRepeated: again.some(({ verdict }) => verdict.cause === finding.verdict.cause) };
}

/** The pieces with the address and the key of the deployment; a base path stands before each target. */
function piecesFor({ pieces }: RawSequence, baseUrl: string, key: string): Buffer[] {
  const { host, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  return pieces.map((piece) => {
    const text = Buffer.from(piece as string).toString('latin1');
    return Buffer.from(
      text
        .replaceAll(hostSlot, () => host)
        .replaceAll(keySlot, () => key)
        .replaceAll(/(?<=^|\n)([A-Z]+ )(?=\/(?:api|compat))/g, (line) => `${line}${prefix}`),
      'latin1',
    );
  });
}
