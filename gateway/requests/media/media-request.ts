import type { MediaModel } from '../../catalogue/media-models.ts';
import type { JsonObject } from '../../http/parse-json.ts';

/** A valid request for images or for a task. Its parent tasks are named but not looked up yet. */
export interface MediaRequest {
  readonly model: MediaModel;
  /**
   * The fields under our names, with defaults filled in and nulls removed; without model, action, parents and
   * webhook_url. Valid numbers that a double would change are raw JSON, which serialises to the original digits.
   */
  readonly fields: JsonObject;
  /** Names of the top-level fields that the caller gave a value. */
  readonly given: ReadonlySet<string>;
  readonly webhookUrl: string | null;
  /** The step of a chain, by default `imagine` or `generate`; null for models without steps. */
  readonly action: string | null;
  /** The direct parent tasks: none, one, or the two of a mashup, in the given order. */
  readonly parents: readonly NamedParent[];
}

/** A parent task that a request names, and the field that names it. */
export interface NamedParent {
  readonly taskId: string;
  /** The bracket path of the field, for errors. */
  readonly param: string;
}
