import type { Shot } from './aim.ts';
import type { AdminBooks, StoredBooks } from './books.ts';
import type { Sightings } from './sightings.ts';

/** A violation, with the kill after which it was first seen. */
export interface Violation {
  readonly kill: number | null;
  readonly what: string;
}

/** All facts collected when an audit ends. */
export interface Evidence {
  readonly sightings: Sightings;
  readonly shots: readonly Shot[];
  readonly admin: AdminBooks;
  readonly stored: StoredBooks;
  readonly jobs: readonly { readonly taskId: string; readonly n: number }[];
  readonly mostInFlight: ReadonlyMap<string, readonly string[]>;
}
