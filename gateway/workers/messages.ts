/** The first message to a worker: the configuration as the first process read it, and the worker's number. */
export interface Beginning {
  readonly text: string;
  readonly path: string;
  readonly number: number;
}

/** From the first process to a worker. `n` numbers the questions. */
export type ToWorker =
  | ({ readonly is: 'begin' } & Beginning)
  | { readonly is: 'stop' }
  | { readonly is: 'question'; readonly n: number; readonly topic: string; readonly value: unknown }
  | { readonly is: 'answers'; readonly n: number; readonly values: readonly unknown[] };

/** From a worker to the first process. No value means that the worker has no answer on this topic. */
export type FromWorker =
  | { readonly is: 'ready'; readonly url: string }
  | { readonly is: 'ask'; readonly n: number; readonly topic: string; readonly value: unknown }
  | { readonly is: 'answer'; readonly n: number; readonly value?: unknown };
