import type { JobState } from './job-shapes.ts';
import type { Ended, FaultEntry } from './journal.ts';
import type { FaultRuleState } from './rules.ts';
import type { Scenario, ScenarioState } from './scenario.ts';

/** The shapes of the console's API. Types only. Times are ms on the simulators' clock. */

/** A request as a row of the list: no bodies, so that many fit. */
export interface ConsoleRow {
  tenant: string;
  n: number;
  channel: string;
  method: string;
  path: string;
  /** The native model name; null when the request names none. */
  model: string | null;
  /** The sender: its user agent, and the beginning of the hash of its key. */
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
  /** Whether an answer with status 200 contains an error. */
  says_error: boolean;
  fault: FaultEntry | null;
  /** The reason for an unusual answer: a fault, a part of the scenario, or a script. */
  by: string | null;
  request_bytes: number;
  reply_bytes: number;
  sends: number;
}

/** One tenant, without its requests. */
export interface ConsoleTenant {
  tenant: string;
  now_ms: number;
  /** When the next timer of the simulators is due. */
  next_due_ms: number | null;
  /** Whether the clock can be moved. */
  clock: boolean;
  faults: FaultRuleState[];
  /** The names of its active variants. */
  variants: readonly string[];
  scenario: { state: ScenarioState; plan: ScenarioPlan } | null;
  jobs: JobState[];
}

/** The parts of a scenario that can be drawn. Keys of channels are patterns. */
export interface ScenarioPlan {
  name: string;
  description: string | null;
  channels: Record<string, Pick<Scenario['channels'][string], 'phases' | 'outages' | 'loop'>>;
}

/** The deliveries of a gateway to the receiver next to the simulators, newest first. */
export interface ConsoleEvents {
  /** False if no receiver of events runs. */
  receiver: boolean;
  deliveries: ConsoleDelivery[];
}

/** One delivery of an event. */
export interface ConsoleDelivery {
  /** The receiver's inbox, and the number of the delivery in it, from 1. */
  inbox: string;
  n: number;
  /** The attempt number for the same event. */
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
