import type { Completion, OpenStream, StreamStep } from '../upstreams/outcome.ts';
import { watchWhole } from './attempt.ts';
import type { Trial } from './trial.ts';

/** What a chat answer says about its channel: a whole one now, a stream when it ends. */
export function watchChat(given: Completion | OpenStream, trial: Trial): Completion | OpenStream {
  if (given.kind === 'completion') return watchWhole(given, trial);
  trial.answered();
  return watchStream(given, trial);
}

/** The stream as it is; its trial learns how it ends, for what fails behind the first byte fails all the same. */
function watchStream(stream: OpenStream, trial: Trial): OpenStream {
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
