import type { Profile } from '../../profile/profile.ts';
import type { Redact } from '../../wire/redactor.ts';
import { cellKey } from '../cases/fuzz-case.ts';
import type { Stall } from '../cost-phase.ts';
import type { ConfirmedFinding } from '../field-phase.ts';
import type { DraftRequest } from '../grammar/subject.ts';
import type { RawFinding } from '../raw-phase.ts';
import type { FuzzOutcome } from '../run-fuzz.ts';
import type { Finding } from '../verdicts/findings.ts';
import type { ReplayedRequest, ReportedFinding } from './fuzz-report.ts';
import { curlOf, printfOf } from './shell-line.ts';

/** The longest body that the report keeps, bytes; the seed reproduces longer ones. */
const mostKeptBytes = 2 * 1024 * 1024;

export interface Naming {
  readonly profile: Profile;
  readonly redact: Redact;
  /** The command that repeats a finding, without its id. */
  readonly replayPrefix: string;
  /** The file for a body that does not fit a command line. */
  readonly bodyFile: (id: string) => string;
}

/** A part of the run in which the gateway's memory grew beyond its limit, MB. */
export interface Growth {
  readonly part: 'costs' | 'fields';
  readonly grownMb: number;
  readonly boundMb: number;
}

type Unnamed = Omit<ReportedFinding, 'id' | 'shell' | 'replay'> & { readonly draft: DraftRequest | null };

const levels = ['fail', 'warn', 'observed'] as const;

/** All findings as the report shows them: failures first, each with an id. */
export function reportedFindings(
  outcome: Pick<FuzzOutcome, 'raw' | 'costs' | 'costFindings' | 'fields'>,
  growths: readonly Growth[],
  naming: Naming,
): ReportedFinding[] {
  const all = [
    ...growths.map(ofGrowth),
    ...(outcome.raw?.findings ?? []).map(ofRaw),
    ...(outcome.costs?.stalls ?? []).map((stall) => ofStall(stall)),
    ...outcome.costFindings.all.map((finding) =>
      ofField({ ...finding, isRepeated: true, isShrunk: false }, 'costs'),
    ),
    ...(outcome.fields?.findings ?? []).map((finding) => ofField(finding, 'fields')),
  ];
  const sorted = levels.flatMap((level) => all.filter((one) => one.level === level));
  return sorted.map((one, at) => named(one, `F${at + 1}`, naming));
}

function named(
  { draft, ...one }: Unnamed,
  id: string,
  { profile, redact, replayPrefix, bodyFile }: Naming,
): ReportedFinding {
  const isShown = one.level !== 'observed';
  const kept = isShown ? one.request : null;
  const shell =
    !isShown || one.request === null
      ? null
      : one.request.kind === 'raw'
        ? printfOf(piecesOf(one.request), profile)
        : draft && curlOf(draft, profile, bodyFile(id));
  return {
    id,
    ...one,
    actual: redact(one.actual),
    request: kept,
    shell,
    replay: kept === null ? null : `${replayPrefix} --replay ${id}`,
  };
}

function ofField(
  finding: ConfirmedFinding | (Finding & { isRepeated: boolean; isShrunk: boolean }),
  part: 'fields' | 'costs',
): Unnamed {
  const { verdict, endpoint, status, count, cells, example, isRepeated, isShrunk } = finding;
  const { request } = example.one;
  return {
    ...{ part, endpoint, status, count, level: verdict.level, cause: verdict.cause },
    ...{ expected: verdict.expected, actual: verdict.actual.slice(0, 400) },
    where: cells.map(cellKey),
    ...{ repeated: isRepeated, shrunk: isShrunk, draft: request, request: keptRequest(request) },
  };
}

function ofRaw({ sequence, names, verdict, exchange, isRepeated }: RawFinding): Unnamed {
  const { gapMs, ends } = sequence;
  return {
    ...{ part: 'raw', endpoint: 'raw bytes', level: verdict.level, cause: verdict.cause },
    ...{ status: exchange.response?.status ?? null, count: names.length },
    ...{ expected: verdict.expected, actual: verdict.actual.slice(0, 400), where: names.slice(0, 40) },
    ...{ repeated: isRepeated || verdict.level !== 'fail', shrunk: false, draft: null },
    request: {
      ...{ kind: 'raw', sequence: sequence.name },
      pieces: sequence.pieces.map((piece) => Buffer.from(piece as string).toString('base64')),
      ...(gapMs === undefined ? {} : { gap_ms: gapMs }),
      ...(ends === undefined ? {} : { ends }),
    },
  };
}

function ofStall({ name, bytes, status, ms, withBody, without, isConfirmed, draft }: Stall): Unnamed {
  const shown = (waits: readonly number[]): string => waits.map((wait) => wait.toFixed(0)).join(', ');
  return {
    ...{
      part: 'costs',
      endpoint: name.split(' ')[0] ?? '',
      status,
      cause: 'others wait',
      count: withBody.length,
    },
    level: isConfirmed ? 'fail' : 'observed',
    expected: 'no other caller waits for it',
    actual: `others waited ${shown(withBody)} ms longer with it, ${shown(without)} ms without; ${bytes} bytes, answered in ${ms.toFixed(0)} ms`,
    where: [name],
    ...{ repeated: true, shrunk: false, draft, request: keptRequest(draft) },
  };
}

/** Growth has no request to keep, because no single request shows it. */
function ofGrowth({ part, grownMb, boundMb }: Growth): Unnamed {
  return {
    ...{ part, level: 'fail', cause: 'memory grows', endpoint: 'all', status: null, count: 1 },
    expected: `that memory grows by at most ${boundMb} MB once the process is warm`,
    actual: `it grew by ${grownMb} MB, and it was not given back`,
    ...{ where: [], repeated: true, shrunk: false, draft: null, request: null },
  };
}

function keptRequest({ method, path, headers, body }: DraftRequest): ReplayedRequest | null {
  if (body.length > mostKeptBytes) return null;
  return { kind: 'request', method, path, headers, body: body.toString('base64') };
}

function piecesOf({ pieces, ends }: { readonly pieces: readonly string[]; readonly ends?: boolean }): {
  pieces: Buffer[];
  ends?: boolean;
} {
  return {
    pieces: pieces.map((piece) => Buffer.from(piece, 'base64')),
    ...(ends === undefined ? {} : { ends }),
  };
}
