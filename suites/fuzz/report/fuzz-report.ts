import type { CoverageRow } from '../cases/coverage.ts';

/** One request of a finding, in a form that can be sent again. It never contains the key. */
export type ReplayedRequest =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Base64, because the bytes may not be text. */
      readonly body: string;
    }
  | {
      readonly kind: 'raw';
      readonly sequence: string;
      /** Each piece in Base64. */
      readonly pieces: readonly string[];
      readonly gap_ms?: number;
      readonly ends?: boolean;
    };

/** All findings with one cause, as reported. */
export interface ReportedFinding {
  /** `F1`, `F2` …: the id for `--replay`. */
  readonly id: string;
  readonly level: 'fail' | 'warn' | 'observed';
  readonly part: 'fields' | 'raw' | 'costs';
  readonly cause: string;
  readonly endpoint: string;
  readonly status: number | null;
  /** The number of answers that showed it. */
  readonly count: number;
  readonly expected: string;
  readonly actual: string;
  /** Where it showed: fields with kinds of damage, sequences, or bodies. */
  readonly where: readonly string[];
  /** Whether it showed again when sent alone. If not, it is not a failure. */
  readonly repeated: boolean;
  /** Whether the request was shrunk. */
  readonly shrunk: boolean;
  readonly request: ReplayedRequest | null;
  /** A shell command that sends the same request; null where it would not fit on one line. */
  readonly shell: string | null;
  readonly replay: string | null;
}

/** The report of a run of `gatecheck fuzz`. */
export interface FuzzReport {
  readonly schema: 1;
  readonly target: { readonly name: string; readonly base_url: string };
  readonly seed: number;
  readonly command: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly exit_code: number;
  readonly interrupted: boolean;
  /** Why the run ended early; null when everything was sent. */
  readonly stopped: string | null;
  readonly sent: {
    readonly requests: number;
    readonly sequences: number;
    readonly bodies: number;
    /** All exchanges with the deployment, including repeats and calls of the bystander. */
    readonly exchanges: number;
    readonly paid: number;
    readonly usd: string | null;
    /** Requests that were refused because of load, and sent again. */
    readonly waited: number;
    /** Requests that were only ever refused because of load. */
    readonly unjudged: number;
  };
  readonly statuses: Readonly<Record<string, number>>;
  readonly coverage: {
    readonly cells: number;
    readonly covered: number;
    readonly rows: readonly CoverageRow[];
  };
  readonly others: {
    readonly quiet_ms: number;
    readonly quiet_worst_ms: number;
    readonly bound_ms: number;
    /** The longest unconfirmed wait during any body. */
    readonly worst_seen_ms: number;
    readonly slowest: readonly {
      readonly body: string;
      readonly bytes: number;
      readonly status: number | null;
      readonly ms: number;
      readonly stall_ms: number;
    }[];
  } | null;
  /** The bystander's waits while damaged requests were sent; null without such requests. */
  readonly beside_requests: Waits | null;
  /** Resident memory of the gateway, MB; null when not reported. */
  readonly memory: {
    readonly before_mb: number;
    readonly after_mb: number;
    readonly most_mb: number;
    /** Growth from the warm point to the end of each part; null for parts that are too short. */
    readonly grown_mb: { readonly costs: number | null; readonly fields: number | null };
  } | null;
  readonly findings: readonly ReportedFinding[];
}

/** How long the bystander waited for a small call, ms. */
export interface Waits {
  readonly median_ms: number;
  readonly p99_ms: number;
  readonly worst_ms: number;
}

/** The findings that make a run fail. */
export function failuresIn({ findings }: Pick<FuzzReport, 'findings'>): readonly ReportedFinding[] {
  return findings.filter(({ level, repeated }) => level === 'fail' && repeated);
}
