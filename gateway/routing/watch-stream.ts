import type { Completion, OpenStream, StreamStep } from '../upstreams/outcome.ts';
import { watchComplete } from './attempt.ts';
import type { CallTracker } from './call-tracker.ts';

/** Reports what a chat answer shows about its channel: a non-streamed one now, a stream when it ends. */
export function watchChat(given: Completion | OpenStream, tracker: CallTracker): Completion | OpenStream {
  if (given.kind === 'completion') return watchComplete(given, tracker);
  tracker.answered();
  return watchStream(given, tracker);
}

/**
 * Passes the stream on unchanged and reports its end to the tracker: a failure after the first byte counts as
 * well.
 */
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
