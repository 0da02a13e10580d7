/** One request that reached the upstream, and its outcome. Times are ms on the simulators' clock. */
export interface JournalEntry {
  /** The number of the request within the tenant, from 1. Never reused, even after a reset. */
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
    /** The body as text, where `bodies=text` asked for it and the bytes are UTF-8. `body_base64` is then empty. */
    body_text?: string;
    /** Whether the body arrived completely. */
    complete: boolean;
  };
  reply: {
    /** The script that answered; null for generated answers and rejections. */
    script: string | null;
    /** The fault that was applied, with its form. */
    fault?: FaultEntry;
    /** The dialect variants that the answer follows. */
    variants?: string[];
    /** The origin of the real provider that gave this answer, changed or not. */
    passed_to?: string;
    /** The seed inputs of a model call's random draws, and the drawn values. */
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
    /** As in `request`. */
    body_text?: string;
    ended: Ended;
    ended_at_ms: number | null;
  };
}

export interface FaultEntry {
  id: string;
  form: string | null;
  after: number | null;
  /**
   * Whether the fault changed the bytes of this answer. False for a rejected request, and for a job fault that acts later.
   */
  applied: boolean;
  /** The part that was added to the answer so that the fault could act. */
  fitted?: 'usage' | 'text' | 'tool_calls';
  /** Why the fault could not act, and what to script instead. The answer was 501. */
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
  /** The number of the tenant's model call on this route, from 1. A reset restarts it. */
  nth: number;
  /** The trigger: the id of a fault, or the part of the scenario. */
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
  /** The maximum number of bytes from each body, for callers that need only an overview. Default: whole bodies. */
  body_bytes?: number;
  /** `text` for readers: bodies as text instead of base64. */
  bodies?: 'text';
  requests?: number;
  /** Entries at a gate or hanging. */
  waiting?: number;
  ended?: number;
  /** Real time, ms. Default 5000, at most 600000. */
  timeout_ms?: number;
}

export interface JournalAnswer {
  /** False when `timeout_ms` passed first; the answer then has the entries so far. */
  satisfied: boolean;
  entries: JournalEntry[];
  /** How many of the tenant's oldest entries were dropped for space. */
  dropped: number;
}
