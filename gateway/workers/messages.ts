/** What a worker gets first: the configuration as the first process read it, and its own number. */
export interface Beginning {
  readonly text: string;
  readonly path: string;
  readonly number: number;
}

/** From the first process to a worker. `n` numbers what is asked. */
export type ToWorker =
  | ({ readonly is: 'begin' } & Beginning)
  | { readonly is: 'stop' }
  | { readonly is: 'question'; readonly n: number; readonly topic: string; readonly value: unknown }
  | { readonly is: 'answers'; readonly n: number; readonly values: readonly unknown[] };

/** From a worker to the first process. An answer without a value knows nothing about the topic. */
export type FromWorker =
  | { readonly is: 'ready'; readonly url: string }
  | { readonly is: 'ask'; readonly n: number; readonly topic: string; readonly value: unknown }
  | { readonly is: 'answer'; readonly n: number; readonly value?: unknown };
