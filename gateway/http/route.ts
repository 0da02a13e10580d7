import type { Exchange } from './exchange.ts';

/** The parts of a path that its route names, as sent. */
export type PathIds = Readonly<Record<string, string>>;

/** Handles one exchange: answers it, or throws a refusal. */
export type Endpoint = (exchange: Exchange, ids: PathIds) => Promise<void> | void;

export interface Route {
  /** Exactly as written, another case or a trailing slash is another path; `:name` stands for one part of any text. */
  readonly path: string;
  /** What a path must match instead, where its parts are not all that varies; `path` is its name in the log then. */
  readonly pattern?: RegExp;
  /** What must hold before anybody is told which methods there are. */
  readonly guard?: Endpoint;
  /** By method, in the letters in which it is sent. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}
