import type { Completion, OpenStream, StreamStep } from '../upstreams/outcome.ts';
import { watchComplete } from './attempt.ts';
import type { CallTracker } from './call-tracker.ts';

/** What a chat answer says about its channel: a whole one now, a stream when it ends. */
export function watchChat(given: Completion | OpenStream, tracker: CallTracker): Completion | OpenStream {
  if (given.kind === 'completion') return watchComplete(given, tracker);
  tracker.answered();
  return watchStream(given, tracker);
}

/** The stream as it is; its trial learns how it ends, for what fails behind the first byte fails all the same. */
function watchStream(stream: OpenStream, tracker: CallTracker): OpenStream {
  const note = (step: StreamStep): StreamStep => {
    switch (step.kind) {
      case 'pieces':
        tracker.handedOver();
        break;
      case 'end':
        tracker.succeeded();
        break;
      case 'failure':
        tracker.failed(step);
        break;
      case 'client_left':
        tracker.abandoned();
        break;
    }
    return step;
  };
  return {
    ...stream,
    first: note(stream.first),
    next: async () => {
      tracker.asked();
      return note(await stream.next());
    },
  };
}
