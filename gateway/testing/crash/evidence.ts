import type { Shot } from './aim.ts';
import type { AdminBooks, StoredBooks } from './books.ts';
import type { Sightings } from './sightings.ts';

/** Something that must not be, with the kill behind which it was seen first. */
export interface Violation {
  readonly kill: number | null;
  readonly what: string;
}

/** Everything that is known when an audit is over. */
export interface Evidence {
  readonly sightings: Sightings;
  readonly shots: readonly Shot[];
  readonly admin: AdminBooks;
  readonly stored: StoredBooks;
  readonly jobs: readonly { readonly taskId: string; readonly n: number }[];
  readonly mostInFlight: ReadonlyMap<string, readonly string[]>;
}
