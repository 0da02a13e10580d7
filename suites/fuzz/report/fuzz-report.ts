import type { CoverageRow } from '../cases/coverage.ts';

/** One request of a finding, as it can be sent again. The key stands nowhere in it. */
export type ReplayedRequest =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Base64, because the bytes may be no text. */
      readonly body: string;
    }
  | {
      readonly kind: 'raw';
      readonly sequence: string;
      /** Base64 each. */
      readonly pieces: readonly string[];
      readonly gap_ms?: number;
      readonly ends?: boolean;
    };

/** What one cause looks like in the report. */
export interface ReportedFinding {
  /** `F1`, `F2` …: what `--replay` names. */
  readonly id: string;
  readonly level: 'fail' | 'warn' | 'observed';
  readonly part: 'fields' | 'raw' | 'costs';
  readonly cause: string;
  readonly endpoint: string;
  readonly status: number | null;
  /** How many answers showed it. */
  readonly count: number;
  readonly expected: string;
  readonly actual: string;
  /** Fields and kinds of damage, sequences, or bodies. */
  readonly where: readonly string[];
  /** Whether it showed again when nothing else was sent; one that did not is no failure. */
  readonly repeated: boolean;
  /** Whether the request was made smaller. */
  readonly shrunk: boolean;
  readonly request: ReplayedRequest | null;
  /** A line for a shell that sends the same; null where it would not fit one. */
  readonly shell: string | null;
  readonly replay: string | null;
}

/** What a run of `gatecheck fuzz` did and found. */
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
  /** Why it ended before everything was sent; null when it did not. */
  readonly stopped: string | null;
  readonly sent: {
    readonly requests: number;
    readonly sequences: number;
    readonly bodies: number;
    /** Everything that went to the deployment, repeats and looks at others included. */
    readonly exchanges: number;
    readonly paid: number;
    readonly usd: string | null;
    /** Refused for load alone, and sent again. */
    readonly waited: number;
    /** Never answered but for load. */
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
    /** The longest wait beside any body, not confirmed. */
    readonly worst_seen_ms: number;
    readonly slowest: readonly {
      readonly body: string;
      readonly bytes: number;
      readonly status: number | null;
      readonly ms: number;
      readonly stall_ms: number;
    }[];
  } | null;
  /** What the bystander waited while damaged requests were sent; null without such requests. */
  readonly beside_requests: Waits | null;
  /** Resident memory of the gateway, MB; null when not reported. */
  readonly memory: {
    readonly before_mb: number;
    readonly after_mb: number;
    readonly most_mb: number;
    /** From when it was warm to the end of each part; null for parts that are too short. */
    readonly grown_mb: { readonly costs: number | null; readonly fields: number | null };
  } | null;
  readonly findings: readonly ReportedFinding[];
}

/** What the bystander waited for a small call, ms. */
export interface Waits {
  readonly median_ms: number;
  readonly p99_ms: number;
  readonly worst_ms: number;
}

/** The findings that make a run red. */
export function failuresIn({ findings }: Pick<FuzzReport, 'findings'>): readonly ReportedFinding[] {
  return findings.filter(({ level, repeated }) => level === 'fail' && repeated);
}
