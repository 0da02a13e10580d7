import type { MediaModel } from '../../catalogue/media-models.ts';
import type { JsonObject } from '../../http/parse-json.ts';

/** A request for pictures, or for a task, whose every field is in order. Parents have been named, not looked up. */
export interface MediaRequest {
  readonly model: MediaModel;
  /**
   * What was asked for in our words, with our defaults filled in and nulls left out; without model, action, parents and
   * webhook_url. Legal numbers that a double would change are raw JSON, which serialises to the digits sent.
   */
  readonly fields: JsonObject;
  /** Top-level names that the caller gave a value. */
  readonly given: ReadonlySet<string>;
  readonly webhookUrl: string | null;
  /** The step of a chain, `imagine` or `generate` when none was named; null for models without steps. */
  readonly action: string | null;
  /** The tasks that it builds on directly: none, one, or the two of a mashup, in the order given. */
  readonly parents: readonly NamedParent[];
}

/** A task that a request names, and where in the body it does. */
export interface NamedParent {
  readonly taskId: string;
  /** The bracket path of the field, for refusals. */
  readonly param: string;
}
