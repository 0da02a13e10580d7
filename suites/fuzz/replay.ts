import { UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import { createWireClient } from '../wire/client.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import type { Redact } from '../wire/redactor.ts';
import type { Subject } from './grammar/subject.ts';
import { readSubjects } from './grammar/subjects-of.ts';
import { tryOne } from './raw-phase.ts';
import type { FuzzReport, ReportedFinding } from './report/fuzz-report.ts';
import { Caller } from './sending/caller.ts';
import { usersOf } from './sending/users.ts';
import { factsOf, judgeCase } from './verdicts/judge-case.ts';

/** The answer when a finding was sent again. */
export interface Replayed {
  readonly finding: ReportedFinding;
  readonly isSeenAgain: boolean;
  readonly answer: string;
}

/** The finding of a report with this id. */
export function findingIn({ findings }: FuzzReport, id: string): ReportedFinding {
  const found = findings.find((one) => one.id === id);
  if (found?.request == null) {
    const known = findings.filter(({ request }) => request !== null).map((one) => one.id);
    throw new UsageError(
      `--replay ${id}: the report has no such finding; it has ${known.join(', ') || 'none'}`,
    );
  }
  return found;
}

/** Sends the request of a finding again, and returns whether it shows the same. */
export async function replayFinding(
  profile: Profile,
  finding: ReportedFinding,
  { signal, redact }: { readonly signal: AbortSignal; readonly redact: Redact },
): Promise<Replayed> {
  const client = createWireClient(profile);
  const { request, cause } = finding;
  const users = usersOf(profile);
  try {
    if (request?.kind === 'raw') {
      const { sequence: name, pieces, gap_ms: gapMs, ends } = request;
      const sequence = {
        ...{
          name,
          most: 1,
          expects: 'refused' as const,
          pieces: pieces.map((piece) => Buffer.from(piece, 'base64')),
        },
        ...(gapMs === undefined ? {} : { gapMs }),
        ...(ends === undefined ? {} : { ends }),
      };
      const again = await tryOne(
        { profile, key: users[0]?.key ?? profile.keys.K1, client, signal },
        sequence,
      );
      const same = again.find(({ verdict }) => verdict.cause === cause);
      return { finding, isSeenAgain: same !== undefined, answer: same?.verdict.actual ?? 'another answer' };
    }
    if (request === null) throw new UsageError('the finding has no request');
    const caller = new Caller({
      ...{ client, users, signal, timeoutMs: profile.timeouts.answer_ms },
      ...{ spend: () => true, pay: () => undefined },
    });
    const draft = { ...request, body: Buffer.from(request.body, 'base64') };
    const exchange = await caller.send(draft, `replay ${finding.id}`);
    return {
      finding,
      isSeenAgain: exchange !== null && shows(profile, finding, exchange, draft),
      answer: shown(exchange, redact),
    };
  } finally {
    await client.close();
  }
}

type Draft = Parameters<Caller['send']>[0];

function shows(profile: Profile, finding: ReportedFinding, exchange: Exchange, draft: Draft): boolean {
  const status = exchange.response?.status ?? null;
  // The report does not keep the certainty of the damage. For these causes the status is enough.
  if (/^(?:accepted|private link|status|others|param)/.test(finding.cause)) return status === finding.status;
  const [reader] = readSubjects as readonly [Subject, ...Subject[]];
  const one = {
    ...{ index: -1, subject: { ...reader, endpoint: finding.endpoint as Subject['endpoint'] }, tree: null },
    ...{ cells: [{ endpoint: reader.endpoint, field: '(replay)', kind: 'replay' }] as const, request: draft },
    ...{ stream: false, certainty: 'open' as const, isNamed: false, isPrivateLink: false, places: [] },
    ...{ sound: null, isLeast: false },
  };
  return judgeCase(one, exchange, factsOf(profile)).some(({ cause }) => cause === finding.cause);
}

function shown(exchange: Exchange | null, redact: Redact): string {
  if (exchange === null) return 'no answer that could be judged';
  const body = exchange.response?.body.subarray(0, 2_000).toString('utf8') ?? '';
  return redact(`${outcomeOf(exchange)}\n${body}`);
}
