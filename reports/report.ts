/**
 * The JSON shape of a run (`report.json`). Suites build it, the renderers in this folder read it, CI evaluates it.
 *
 * Durations are milliseconds of real time (never of a test clock). A report contains no secrets: keys are
 * replaced by `$GATECHECK_KEY` where an exchange is captured, before it gets here.
 */

import type { Evidence } from './evidence.ts';
import type { FailureTimeline } from './failure-timeline.ts';
import type { TrendRun } from './trend-run.ts';

/** Every verdict that a check or a requirement can have, ordered from the clearest to the least clear. */
export const verdicts = [
  'pass',
  'fail',
  'flaky',
  'warn',
  'observed',
  'not-applicable',
  'untestable',
  'waived',
  'harness-error',
] as const;
/**
 * - `pass`: the rule held in every case tried
 * - `fail`: a MUST was violated
 * - `flaky`: a MUST was violated once, but not in two reruns with nothing else running
 * - `warn`: a SHOULD was violated
 * - `observed`: the specification is silent; the behaviour is recorded and never fails
 * - `not-applicable`: the target declares that it does not have the feature
 * - `untestable`: a fact of the target profile is missing; `evidence.missing` names it
 * - `waived`: failed, and a waiver accepts it
 * - `harness-error`: the check itself broke, so it says nothing about the target
 */
export type Verdict = (typeof verdicts)[number];

/** How binding a rule is. `MUST*` is a MUST from our reading: the text does not say it explicitly. */
export const levels = ['MUST', 'MUST*', 'SHOULD', 'MAY'] as const;
export type Level = (typeof levels)[number];

/** How many cases a property tries: boundary values and a few random ones, or a hundred and more. */
export const sizes = ['smoke', 'quick', 'full'] as const;
export type Size = (typeof sizes)[number];

/** One HTTP exchange with the target. Bodies are cut to 4 KiB, the key is replaced by `$GATECHECK_KEY`. */
export interface ReportedExchange {
  /** The purpose of the exchange: 'one fault', 'positive twin', 'stream'. */
  label: string;
  request: { method: string; url: string; headers: [string, string][]; body: string };
  /** `first_byte_ms` and `end_ms` count from the moment the request was sent. */
  response: {
    status: number;
    headers: [string, string][];
    body: string;
    first_byte_ms: number;
    end_ms: number;
  } | null;
  /** The transport error when there is no response, or an incomplete one. */
  error: string | null;
  /** When it was sent, in ms since its check began, on the clock of the deployment. Absent if not kept. */
  at_ms?: number;
  /** How a dialect translated the check's names to those on the wire, one line each. */
  mapping?: string[];
}

/** A request body member that a failure is about. */
export interface MemberInQuestion {
  /** For example `temperature` or `messages[0].content`. */
  path: string;
  /** Its value as JSON, cut if it is very long; null if the member is absent. */
  value: string | null;
  /** Its value in the positive twin, if there is one. */
  twin?: string | null;
}

/** Why a check failed, with everything a person needs to reproduce it. */
export interface Failure {
  /** Id of the violated requirement in the register, such as `ERR-012`. */
  requirement: string;
  /** The statement of the requirement. */
  statement: string;
  /** The heading of the specification that the requirement comes from. */
  section: string;
  /** Short name of what was violated, e.g. 'param-names-field'. */
  aspect: string;
  /** The place where it was seen, as in `evidence.places`: `core, beta`. Absent for other places. */
  seen_in?: string;
  expected: string;
  actual: string;
  /** The exchange that shows the violation. */
  exchange: ReportedExchange | null;
  /** The same request without its fault, and the target's answer. */
  twin: ReportedExchange | null;
  /** Absent if not kept, and for all but the first failures of a check. */
  timeline?: FailureTimeline;
  /** The request members that it is about; absent if unknown. */
  in_question?: MemberInQuestion[];
  /** The relevant part of the upstream's journal. */
  upstream: string | null;
  /** The shrunk input of a property. */
  input: string | null;
  /** One shell line that sends the request again, with the key as `$GATECHECK_KEY`. */
  curl: string | null;
  /** The command that runs only this check on the same cases: `npx gatecheck run --only … --seed …`. */
  replay: string;
}

/** One check and its verdict. */
export interface CheckResult {
  id: string;
  title: string;
  area: string;
  /** Ids of the requirements that it covers. */
  requirements: string[];
  level: Level;
  verdict: Verdict;
  evidence: Evidence;
  duration_ms: number;
  /**
   * When the check began by the suite's clock, ISO 8601 in UTC. Times in its timelines count from here. Absent without a
   * failure.
   */
  began_at?: string;
  /** Present for `fail` and `flaky`; for `warn`, `waived` and `harness-error` only when there are details to show. */
  failure?: Failure;
  /** Present for `fail` if the check found more: other rules or aspects, or the same one in other places. */
  also?: Failure[];
  /** Present if the check did not complete, with the reason: `interrupted`. Its verdict is `untestable`. */
  not_run?: string;
  /** Present for `fail`: the failures of the check that waivers accept. */
  accepted?: Failure[];
  /** Present for `waived`; `until` is an ISO date, or null for a permanent waiver. */
  waiver?: { reason: string; until: string | null };
}

/** One requirement that at least one selected check covers. */
export interface RequirementResult {
  id: string;
  area: string;
  level: Level;
  statement: string;
  section: string;
  /** The worst verdict among its checks. */
  verdict: Verdict;
  /** Why it is neither passed nor failed: the missing fact, the waiver. */
  reason: string | null;
  /** Ids of the checks that cover it. */
  checks: string[];
}

/** Counts of checks by verdict, and of the work done. */
export interface Summary {
  passed: number;
  failed: number;
  flaky: number;
  warned: number;
  observed: number;
  not_applicable: number;
  untestable: number;
  waived: number;
  errors: number;
  cases: number;
  exchanges: number;
}

/** A fact that a profile lacks, and how to declare it. */
export interface MissingFact {
  /** What the fact is, in words. */
  hint: string;
  /** The profile lines that declare it, with example values; null if there are none. */
  yaml: string | null;
}

/** A requirement that no check covers, in an area that was selected completely. */
export interface NotCovered {
  id: string;
  area: string;
  statement: string;
  /** Why no check can cover it; null when a check is merely missing. */
  not_checked: string | null;
}

/** A named part of the interface, and how much of it a run has shown. */
export interface ProfileResult {
  /** `core-chat`, `streaming` and so on. */
  name: string;
  /** The areas whose rules it has. Absent in reports of older versions. */
  areas?: string[];
  /** `fail`: a rule failed. `pass`: every rule that applies was judged. `none`: no rule was. */
  verdict: 'pass' | 'partial' | 'fail' | 'none';
  /** Number of rules that apply, and of these the number judged and failed. */
  rules: number;
  judged: number;
  failed: number;
}

/** A failure that the profile accepts: the rule or check, the reason, the owner, and the last day (ISO date). */
export interface Waiver {
  id: string;
  /** The broken aspect of the rule, as in failures; absent for any aspect. */
  aspect?: string | undefined;
  /** The only place where it is accepted, as in `seen_in` of failures: `core`, or `core, beta`. */
  place?: string | undefined;
  /** The seed that showed it. Only a run with this seed, or with all cases, can show that the failure is gone. */
  seed?: number | undefined;
  reason: string;
  owner?: string | undefined;
  until?: string | undefined;
}

/** What a run sent to the deployment, and the cost. */
export interface Spent {
  exchanges: number;
  /** Number of accepted generations. */
  paid: number;
  tokens: number;
  /** Dollars at the given list prices, with the markup that the profile declares; null without prices. */
  usd: string | null;
  /** Whether the upstreams, and so the cost, are simulated; absent if unknown. */
  is_simulated?: true;
}

export interface Report {
  schema: 'gatecheck.report/2';
  /** `profile` is the path of the target profile, null when there is none. */
  target: { name: string; base_url: string; profile: string | null };
  seed: number;
  size: Size;
  /** ISO 8601, UTC. */
  started_at: string;
  duration_ms: number;
  versions: { gatecheck: string; node: string; fast_check: string };
  /** The command line to repeat the run. */
  command: string;
  /** 0 conforming, 1 failures, 2 usage or credentials, 3 unreachable, 4 harness error, 5 waivers, 130 interrupted. */
  exit_code: number;
  /** One sentence: the result and what to do about it. */
  headline: string;
  /** Everything that the run sent, including interrupted checks; absent in reports of older versions. */
  spent?: Spent;
  /** Why the run ended early: 'interrupted', 'bail', 'budget', 'unreachable: …', 'credentials: …'; else null. */
  stopped: string | null;
  /** True if the run ended because the deployment stopped answering, or never finished an answer; otherwise absent. */
  is_gone?: true;
  /** Remarks on how the run went that a reader must know, as sentences; absent if none. */
  notices?: string[];
  /** Which part of the checks this is, where a run was split over machines. */
  shard?: { part: number; of: number };
  /** The waivers of the profile, needed to merge parts. */
  waivers?: Waiver[];
  /** Minimum percentage of judged rules by part of the interface (`core-chat`), as the profile requires. */
  minimum?: Record<string, number>;
  /** The same as required by options of the run: these count all rules of the part, selected or not. */
  required?: Record<string, number>;
  /** The last runs of this target, oldest first, this one last. Absent if they are not kept. */
  trend?: TrendRun[];
  summary: Summary;
  checks: CheckResult[];
  requirements: RequirementResult[];
  /** Absent in reports of older versions and of other tools. */
  profiles?: ProfileResult[];
  not_covered: NotCovered[];
  /** Facts that the profile lacks, by name. Absent in reports of older versions and if none is missing. */
  missing_facts?: Record<string, MissingFact>;
}
