import type { OpenStream, StreamStep } from '../upstreams/outcome.ts';
import type { Trial } from './trial.ts';

/** The stream as it is; its trial learns how it ends, for what fails behind the first byte fails all the same. */
export function watchStream(stream: OpenStream, trial: Trial): OpenStream {
  const note = (step: StreamStep): StreamStep => {
    switch (step.kind) {
      case 'pieces':
        trial.handedOver();
        break;
      case 'end':
        trial.succeeded();
        break;
      case 'failure':
        trial.failed(step);
        break;
      case 'client_left':
        trial.abandoned();
        break;
    }
    return step;
  };
  return {
    ...stream,
    first: note(stream.first),
    next: async () => {
      trial.asked();
      return note(await stream.next());
    },
  };
}
