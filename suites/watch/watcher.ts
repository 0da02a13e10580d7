import type { Failure } from 'gatecheck-reports/report';
import { isAboutNames } from '../oracle/exchange/judge-exchange.ts';
import { TaskTraces } from '../oracle/media/task-traces.ts';
import type { Profile } from '../profile/profile.ts';
import type { Register } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';
import { describeFailure } from '../runner/describe-failure.ts';
import { hidingMember } from '../runner/hidden-by-dialect.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Passing, Unjudged } from './connection-tap.ts';
import { inSpecifiedWords } from './in-words.ts';
import { hookRead } from './judge-charges.ts';
import { isOfInterface, judgePassing, type Memory } from './judge-passing.ts';
import { ModelNames } from './model-names.ts';
import { PassedCalls } from './passed-calls.ts';
import { hasEventHeaders, PassedEvents } from './passed-events.ts';
import { type PassiveName, passiveChecks, passiveNames } from './passive-rules.ts';
import { privateParts, withoutLongTexts } from './private-parts.ts';
import { readable, type Unreadable } from './readable.ts';
import { Submissions } from './submissions.ts';

export interface WatcherOptions {
  readonly register: Register;
  /** The share of exchanges that is judged, from 0 to 1. */
  readonly sample: number;
  /** The most tasks that are followed at once. */
  readonly tasks: number;
  /** The largest decoded body that is judged, bytes. */
  readonly bodyBytes: number;
  /** The deployment's profile; null without one. */
  readonly profile: Profile | null;
  /** The command that starts the same watch again. */
  readonly command: string;
  readonly onFailure: (check: PassiveName, failure: Failure) => void;
}

/** The findings about the rules of one check. */
export interface Seen {
  judged: number;
  /** The broken rules and aspects, each with the first exchange that shows it, and their number. */
  readonly failures: Map<string, { readonly failure: Failure; times: number }>;
}

/** The most failures of one check; a longer list would show one cause many times. */
const mostFailures = 50;
/** The most unknown models that are distinguished. */
const mostOpen = 1_000;
/** The most calls that are remembered for reads of the usage log or the ledger. */
const mostCalls = 10_000;

/** Judges passing exchanges one after the other, without delaying the traffic. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #memory: Memory;
  readonly #waiting: Passing[] = [];
  /** Findings that need the list of models first, by check and named model. */
  readonly #open = new Map<
    string,
    { readonly check: PassiveName; readonly finding: Finding; times: number }
  >();
  readonly seen: ReadonlyMap<PassiveName, Seen> = new Map(
    passiveNames.map((name) => [name, { judged: 0, failures: new Map() }]),
  );
  readonly unjudged = new Map<
    | Unjudged
    | Unreadable
    | 'left out by --sample'
    | 'not of the interface'
    | 'without an answer'
    | 'whose request is no JSON object'
    | 'by a fault of the watch itself'
    | 'about a charge that nothing is known of',
    number
  >();
  passed = 0;
  #owed = 0;
  #working: Promise<void> | null = null;

  constructor(options: WatcherOptions) {
    this.#options = options;
    const { tasks, profile } = options;
    this.#memory = {
      ...{ traces: new TaskTraces(tasks), names: new ModelNames(), calls: new PassedCalls(mostCalls) },
      ...{ submissions: new Submissions(tasks), events: new PassedEvents(tasks), isOurTime: true, profile },
    };
  }

  /** Accepts an exchange; it is judged soon after. */
  take(passing: Passing): void {
    this.passed += 1;
    this.#owed += this.#options.sample;
    if (this.#owed < 1 - 1e-9 && !this.#isAlwaysJudged(passing.exchange)) {
      this.leftOut('left out by --sample');
      passing.release?.();
      return;
    }
    this.#owed = Math.max(0, this.#owed - 1);
    this.#waiting.push(passing);
    this.#working ??= this.#work();
  }

  /** Counts an exchange that cannot be judged. */
  leftOut(why: Parameters<Watcher['unjudged']['set']>[0]): void {
    this.unjudged.set(why, (this.unjudged.get(why) ?? 0) + 1);
  }

  /** Judges the waiting exchanges. Returns the number of answers whose model might be a fallback. */
  async conclude(): Promise<number> {
    while (this.#working !== null) await this.#working;
    let undecided = 0;
    for (const { check, finding, times } of this.#open.values()) {
      if (!this.#memory.names.isKnown) undecided += times;
      else if (!this.#memory.names.mayStandIn(finding)) this.#note(check, finding, times);
    }
    this.#open.clear();
    return undecided;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      // Traffic takes precedence over judging.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#judge(next).catch(() => this.leftOut('by a fault of the watch itself'));
      next.release?.();
    }
    this.#working = null;
  }

  async #judge(passing: Passing): Promise<void> {
    const { bodyBytes, profile } = this.#options;
    const read = await readable(passing.exchange, bodyBytes);
    if (typeof read === 'string') {
      this.leftOut(read);
      return;
    }
    const exchange = inSpecifiedWords(read, profile);
    const results = judgePassing({ ...passing, exchange }, this.#memory);
    if (results.length === 0) this.leftOut(this.#whyNot(exchange));
    for (const { row: check, findings } of results) {
      const seen = this.seen.get(check);
      if (seen === undefined) continue;
      seen.judged += 1;
      for (const finding of findings) {
        if (profile !== null && hidingMember(profile, finding) !== null) continue;
        if (isAboutNames(finding)) this.#hold(check, finding);
        else this.#note(check, finding, 1);
      }
    }
  }

  #whyNot(exchange: Exchange): Parameters<Watcher['leftOut']>[0] {
    if (hookRead(exchange, this.#memory.profile) !== null) return 'about a charge that nothing is known of';
    if (!isOfInterface(exchange)) return 'not of the interface';
    return exchange.response === null ? 'without an answer' : 'whose request is no JSON object';
  }

  /** Whether an exchange is needed to judge other exchanges, so that sampling must not skip it. */
  #isAlwaysJudged(passing: Exchange): boolean {
    const { profile } = this.#memory;
    const exchange = inSpecifiedWords(passing, profile);
    return (
      isReadOfMore(exchange) || hookRead(exchange, profile) !== null || hasEventHeaders(exchange, profile)
    );
  }

  #hold(check: PassiveName, finding: Finding): void {
    const key = `${check} ${finding.actual}`;
    const known = this.#open.get(key);
    if (known !== undefined) known.times += 1;
    else if (this.#open.size < mostOpen) this.#open.set(key, { check, finding, times: 1 });
  }

  #note(check: PassiveName, finding: Finding, times: number): void {
    const failures = this.seen.get(check)?.failures;
    const key = `${finding.requirement} ${finding.aspect}`;
    const known = failures?.get(key);
    if (known !== undefined) known.times += times;
    if (failures === undefined || known !== undefined || failures.size >= mostFailures) return;
    const failure = this.#describe(check, finding);
    failures.set(key, { failure, times });
    this.#options.onFailure(check, failure);
  }

  #describe(check: PassiveName, finding: Finding): Failure {
    const { register, command } = this.#options;
    const { exchange, twin } = finding;
    const hides = [exchange, twin].filter((one) => one !== undefined).map(privateParts);
    const hide = (text: string): string => hides.reduce((shown, one) => one(shown), withoutLongTexts(text));
    const context = {
      check: { id: passiveChecks[check].id },
      register,
      input: { seed: 0, size: 'quick', replayPrefix: command } as const,
    };
    const { curl: _, ...failure } = describeFailure(context, finding, null, hide);
    // A repeated request would be our own, on another person's deployment and account.
    return { ...failure, curl: null, replay: command };
  }
}

/** Whether an exchange reads a task, or the list of models. */
function isReadOfMore({ request: { method, url } }: Exchange): boolean {
  return method === 'GET' && /\/api\/v1\/(?:tasks\/[^/]+|models)(?:\?|$)/.test(url);
}
