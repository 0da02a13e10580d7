import type { JobState } from './job-shapes.ts';
import type { Ended, FaultEntry } from './journal.ts';
import type { FaultRuleState } from './rules.ts';
import type { Scenario, ScenarioState } from './scenario.ts';

/** The shapes of what the console's page reads. Types only. Times are ms on the simulators' clock. */

/** A request as a row of the list: no bodies, so that many fit. */
export interface ConsoleRow {
  tenant: string;
  n: number;
  channel: string;
  method: string;
  path: string;
  /** The native name; null when the request names none. */
  model: string | null;
  /** What sent it: its user agent, and the beginning of the hash of its key. */
  agent: string | null;
  key: string | null;
  /** The same for all requests that seem to belong to one call of the gateway; null before the body is there. */
  call: string | null;
  at_ms: number;
  first_ms: number | null;
  ended_ms: number | null;
  ended: Ended;
  waiting_at: string | null;
  status: number | null;
  /** Whether an answer of 200 reports an error within. */
  says_error: boolean;
  fault: FaultEntry | null;
  /** What made the answer other than usual: a fault that was set, a part of the scenario, a script. */
  by: string | null;
  request_bytes: number;
  reply_bytes: number;
  sends: number;
}

/** One tenant besides its requests. */
export interface ConsoleTenant {
  tenant: string;
  now_ms: number;
  /** When the next timer of the simulators is due. */
  next_due_ms: number | null;
  /** Whether the clock can be moved. */
  clock: boolean;
  faults: FaultRuleState[];
  /** The names of the variants that it plays. */
  variants: readonly string[];
  scenario: { state: ScenarioState; plan: ScenarioPlan } | null;
  jobs: JobState[];
}

/** What a scenario does, as far as it can be drawn; channels by pattern. */
export interface ScenarioPlan {
  name: string;
  description: string | null;
  channels: Record<string, Pick<Scenario['channels'][string], 'phases' | 'outages' | 'loop'>>;
}

/** What a gateway delivered to the receiver beside the simulators, newest first. */
export interface ConsoleEvents {
  /** False without a receiver of events. */
  receiver: boolean;
  deliveries: ConsoleDelivery[];
}

/** One delivery of an event. */
export interface ConsoleDelivery {
  /** Which receiver's inbox, and which delivery of it, counted from 1. */
  inbox: string;
  n: number;
  /** Which try of the same event it is. */
  nth: number;
  at_ms: number;
  method: string;
  /** The `type` of the event; null when its body has none. */
  type: string | null;
  answered: string;
  signature: { ok: boolean; word: string; message: string };
  headers: [string, string][];
  body_base64: string;
}
