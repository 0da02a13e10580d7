import type { Exchange } from './exchange.ts';

/** The path segments that the route names, as sent. */
export type PathIds = Readonly<Record<string, string>>;

/** Handles one exchange: answers it, or throws an error to answer with. */
export type Endpoint = (exchange: Exchange, ids: PathIds) => Promise<void> | void;

export interface Route {
  /** Matched exactly: another case or a trailing slash is another path; `:name` stands for any one segment. */
  readonly path: string;
  /** A pattern to match instead, where more than whole segments varies; `path` is then only its name in the log. */
  readonly pattern?: RegExp;
  /** Runs before the methods of the path are revealed, for example to authenticate. */
  readonly guard?: Endpoint;
  /** By method name, exactly as sent. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}
