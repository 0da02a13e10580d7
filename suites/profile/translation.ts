/** A request on its way to a deployment. Header names keep the case of the sender. */
export interface CarriedRequest {
  readonly method: string;
  /** Path and query below the base URL of the deployment. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A whole answer on its way back. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** An event on its way to a receiver. */
export type CarriedEvent = Pick<CarriedRequest, 'headers' | 'body'>;

/**
 * Translates between the specification and what a deployment speaks. Checks write and read the words of the
 * specification; the wire carries those of the deployment. What a method returns unchanged stays byte for byte.
 */
export interface Translation {
  readonly request: (request: CarriedRequest) => CarriedRequest;
  /** `request` is the one of the check. */
  readonly answer: (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer;
  /** Of an event stream: the text of each event without its blank line, and null at the end. */
  readonly events: (request: CarriedRequest) => (event: string | null) => readonly string[];
  readonly streamHead: (head: Omit<CarriedAnswer, 'body'>) => Omit<CarriedAnswer, 'body'>;
  /** A request of somebody else, which passed in the words of the deployment. */
  readonly specified?: (request: CarriedRequest) => CarriedRequest;
  /** An event of the deployment, as the specification signs and words it. */
  readonly event?: (event: CarriedEvent) => CarriedEvent;
  /** What of the mapping hides the rule of a finding, by its member in the profile; null where nothing does. */
  readonly hides?: (seen: SeenFinding) => string | null;
  /** What makes a rule one of which nothing can be said, by its member in the profile; null for all others. */
  readonly silences?: (rule: string) => string | null;
  /** The same for codes of errors that no check can distinguish: each with its member. */
  readonly blurred?: ReadonlyMap<string, string>;
}

/** A finding as far as a mapping may hide it. */
export interface SeenFinding {
  readonly aspect: string;
  readonly expected: string;
  /** What a check sent, in the words of the specification. */
  readonly request: CarriedRequest;
  /** What the wire carried back. */
  readonly answer: CarriedAnswer | null;
}

/** What keeps all these rules from being judged, by its member in the profile; null where one of them can be. */
export function silencedBy(translation: Translation | undefined, rules: readonly string[]): string | null {
  const silenced = rules.map((rule) => translation?.silences?.(rule) ?? null);
  return silenced.includes(null) ? null : (silenced[0] ?? null);
}
