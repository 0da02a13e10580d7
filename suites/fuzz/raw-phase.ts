import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import { tlsOptionsOf } from '../wire/deployment-connection.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import { sendRaw } from '../wire/raw-socket.ts';
import { keySlot } from './grammar/subject.ts';
import { judgeRaw, silence } from './raw/judge-raw.ts';
import { hostSlot, type RawSequence } from './raw/raw-sequence.ts';
import { failure, type Verdict } from './verdicts/findings.ts';

/** How long an answer to raw bytes may take beyond the declared timeout for a head, ms. */
const graceMs = 8_000;
/** After this many silent sequences the others get a shorter wait, ms, because more of them show nothing new. */
const mostSilences = 4;
const shortWaitMs = 2_000;
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

/** A verdict on one sequence. */
interface Seen {
  readonly sequence: RawSequence;
  readonly verdict: Verdict;
  readonly exchange: Exchange;
}

/** All sequences whose verdicts have one cause; the first is the example. */
export interface RawFinding extends Seen {
  readonly names: readonly string[];
  readonly isRepeated: boolean;
}

export interface RawOutcome {
  readonly sent: number;
  readonly findings: readonly RawFinding[];
}

/** Sends every sequence of the corpus over its own socket, and then checks that the deployment still answers. */
export async function fuzzRaw(phase: RawPhase): Promise<RawOutcome> {
  const { corpus, width, signal, spend } = phase;
  const all: Seen[] = [];
  let [next, sent] = [0, 0];
  const work = async (): Promise<void> => {
    for (let at = next++; at < corpus.length && !signal.aborted && spend(); at = next++) {
      const sequence = corpus[at];
      if (sequence === undefined) return;
      sent += 1;
      const silences = all.filter(({ verdict }) => verdict.cause === silence).length;
      all.push(...(await tryOne(phase, sequence, silences < mostSilences ? undefined : shortWaitMs)));
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const findings: RawFinding[] = [];
  const causes = Map.groupBy(
    all,
    ({ verdict, exchange }) => `${verdict.level} ${verdict.cause} ${exchange.response?.status}`,
  );
  for (const seen of causes.values()) {
    const [first] = seen as [Seen, ...Seen[]];
    const names = seen.map(({ sequence }) => sequence.name);
    const isOpen = first.verdict.level === 'fail' && !signal.aborted;
    findings.push({ ...first, names, isRepeated: !isOpen || (await showsAgain(phase, first)) });
  }
  return { sent, findings };
}

/** Sends one sequence and judges the answer; returns nothing if the run ended meanwhile. */
export async function tryOne(
  phase: Omit<RawPhase, 'corpus' | 'width' | 'spend'>,
  sequence: RawSequence,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Seen[]> {
  const { profile, key, client, signal } = phase;
  const withinMs = Math.min(mostMs, (profile.http.header_timeout_ms ?? 0) + graceMs);
  const { gapMs, ends } = sequence;
  const answer = await sendRaw({
    ...{ baseUrl: profile.base_url, translation: profile.translation },
    tls: tlsOptionsOf(profile),
    pieces: piecesFor(sequence, declaredUrl(profile), key),
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
    ...verdicts.map((verdict) => ({ sequence, verdict, exchange })),
    ...(lives
      ? []
      : [
          {
            ...{ sequence, exchange: after },
            verdict: failure('does not live on', 'the next request answered as ever', outcomeOf(after)),
          },
        ]),
  ];
}

async function showsAgain(phase: RawPhase, { sequence, verdict }: Seen): Promise<boolean> {
  const again = await tryOne(phase, sequence);
  return again.some((other) => other.verdict.cause === verdict.cause);
}

/** The pieces with the deployment's host and key filled in, and its base path before each target. */
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
