/** One request that reached the upstream, and its outcome. Times are ms on the simulators' clock. */
export interface JournalEntry {
  /** Counts the tenant's requests from 1; never reused, also not after a reset. */
  n: number;
  tenant: string;
  channel: string;
  received_at_ms: number;
  request: {
    method: string;
    /** The request target as it was sent, tenant and query included. */
    path: string;
    /** Names and values in the order and case of the wire. */
    headers: [string, string][];
    body_base64: string;
    /** Whether the body arrived to its end. */
    complete: boolean;
  };
  reply: {
    /** The script that answered; null for generated answers and refusals. */
    script: string | null;
    /** The fault that was applied, with its form. */
    fault?: FaultEntry;
    /** The variants of its dialect that the answer has the form of. */
    variants?: string[];
    /** The origin of the real provider whose answer this is, or was changed. */
    passed_to?: string;
    /** What seeded the draws of a model call, and what was drawn. */
    draws?: DrawsEntry;
    status: number | null;
    /** Names and values of the answer's head, as they were sent. */
    headers: [string, string][];
    /** The gate where it waits (`head`, `end`, `0`, `1`, …), `hang`, or null. */
    waiting_at: string | null;
    sends: Send[];
    /**
     * The body sent so far, without transfer coding.
     * Of a program over the connection: the first MiB of raw bytes, heads and chunk sizes included.
     */
    body_base64: string;
    ended: Ended;
    ended_at_ms: number | null;
  };
}

export interface FaultEntry {
  id: string;
  form: string | null;
  after: number | null;
  /** Whether it changed the bytes of this answer. False for a refused request, and for a job's fault that acts later. */
  applied: boolean;
  /** What was added to the answer, so that the fault could act on it. */
  fitted?: 'usage' | 'text' | 'tool_calls';
  /** Why the fault could not act, and what to script. The answer was 501. */
  misfit?: string;
}

/** The same first five members give the same draws, in every process and in any order of requests. */
export interface DrawsEntry {
  seed: number;
  /** The tenant's scenario. */
  scenario: string | null;
  tenant: string;
  /** Channel and native path. */
  route: string;
  /** Counts the tenant's model calls of the route from 1, and again from 1 after a reset. */
  nth: number;
  /** What fired: the id of a fault that was set, or the part of the scenario. */
  disturbed_by: string | null;
  /** Name to value: `rate-0`, `share`, `first_ms`, … */
  drawn: Record<string, number>;
}

/**
 * One write. Labels are `head`, `role`, `delta-0`…, `finish`, `usage`, `done`, `body`, `body-rest`; faults
 * add others.
 * Of an endless program the first hundred thousand are kept.
 */
export interface Send {
  label: string;
  intended_ms: number;
  actual_ms: number;
  /** Bytes of the body; 0 for the head. Of a program over the connection: all bytes. */
  bytes: number;
}

export type Ended = 'open' | 'complete' | 'cut' | 'client-gone';

/**
 * Selects entries, and states what to wait for. `requests` counts requests that were read completely or aborted.
 */
export interface JournalQuery {
  /** Only entries with a greater n. */
  after?: number;
  /** Only entries whose request body contains this text. */
  marker?: string;
  /** Only entries whose request target contains this text. */
  path?: string;
  /** So many bytes of each body at most, for readers of what happened when; all of them without it. */
  body_bytes?: number;
  requests?: number;
  /** Entries at a gate or hanging. */
  waiting?: number;
  ended?: number;
  /** Real time; default 5000, at most 600000. */
  timeout_ms?: number;
}

export interface JournalAnswer {
  /** False when `timeout_ms` passed first; the answer then has the entries so far. */
  satisfied: boolean;
  entries: JournalEntry[];
  /** How many of the tenant's oldest entries were dropped for space. */
  dropped: number;
}
