import type { Siblings } from '../siblings.ts';
import type { Beginning, FromWorker, ToWorker } from './messages.ts';

/** A worker's connection to the first process. */
export interface WorkerEnd {
  /** Resolves when the first process has sent the configuration. */
  readonly begun: Promise<Beginning>;
  readonly siblings: Siblings;
  /** Reports that this process listens. */
  ready(url: string): void;
  onStop(stop: () => void): void;
}

/** The worker's end of its channel to the first process. Node ends the worker when the channel closes. */
export function createWorkerEnd(): WorkerEnd {
  const replies = new Map<string, (value: unknown) => Promise<unknown>>();
  const asked = new Map<number, (values: readonly unknown[]) => void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<Beginning>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let last = 0;
  const send = (message: FromWorker): void => {
    process.send?.(message, undefined, undefined, () => {});
  };
  const reply = async ({ n, topic, value }: ToWorker & { is: 'question' }): Promise<void> => {
    const answer = await replies.get(topic)?.(value);
    send({ is: 'answer', n, ...(answer === undefined ? {} : { value: answer }) });
  };
  process.on('message', (message: ToWorker) => {
    if (message.is === 'begin') begin(message);
    else if (message.is === 'stop') stop();
    else if (message.is === 'answers') asked.get(message.n)?.(message.values);
    else void reply(message).catch(() => send({ is: 'answer', n: message.n }));
  });
  return {
    begun,
    siblings: {
      isAlone: false,
      ask: async (topic, value) => {
        last += 1;
        const n = last;
        const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
        asked.set(n, resolve);
        send({ is: 'ask', n, topic, value });
        const values = await promise;
        asked.delete(n);
        return values;
      },
      answer: (topic, answer) => void replies.set(topic, answer),
    },
    ready: (url) => send({ is: 'ready', url }),
    onStop: (act) => void stopped.then(act),
  };
}
