/** A request to a deployment. Header names keep the sender's case. */
export interface CarriedRequest {
  readonly method: string;
  /** Path and query below the base URL of the deployment. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A whole answer of a deployment. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** An event for a receiver. */
export type CarriedEvent = Pick<CarriedRequest, 'headers' | 'body'>;

/**
 * Translates between the specification and a deployment's dialect. Checks use the names of the specification; the wire
 * carries those of the deployment. What a method does not change stays identical byte for byte.
 */
export interface Translation {
  readonly request: (request: CarriedRequest) => CarriedRequest;
  /** `request` is the check's request. */
  readonly answer: (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer;
  /** Translates an event stream. It receives the text of each event without its blank line, and null at the end. */
  readonly events: (request: CarriedRequest) => (event: string | null) => readonly string[];
  /** Whether the stream of an answer comes as one JSON array, and not as events. */
  readonly streamsArray?: (request: CarriedRequest) => boolean;
  readonly streamHead: (head: Omit<CarriedAnswer, 'body'>) => Omit<CarriedAnswer, 'body'>;
  /** Translates another caller's request, in the deployment's names, into the specification's. */
  readonly specified?: (request: CarriedRequest) => CarriedRequest;
  /** Translates an event of the deployment into the specification's names and signature. */
  readonly event?: (event: CarriedEvent) => CarriedEvent;
  /** The profile member of the mapping that hides the rule of a finding; null when none does. */
  readonly hides?: (seen: SeenFinding) => string | null;
  /** What makes a rule one of which nothing can be said, by its member in the profile; null for all others. */
  readonly silences?: (rule: string) => string | null;
  /** Error codes that the mapping makes indistinguishable, each with its profile member. */
  readonly blurred?: ReadonlyMap<string, string>;
}

/** The parts of a finding that a mapping may hide. */
export interface SeenFinding {
  readonly aspect: string;
  readonly expected: string;
  /** The check's request, in the specification's names. */
  readonly request: CarriedRequest;
  /** The answer on the wire. */
  readonly answer: CarriedAnswer | null;
}

/** What keeps all these rules from being judged, by its member in the profile; null where one of them can be. */
export function silencedBy(translation: Translation | undefined, rules: readonly string[]): string | null {
  const silenced = rules.map((rule) => translation?.silences?.(rule) ?? null);
  return silenced.includes(null) ? null : (silenced[0] ?? null);
}
