import type { Reply } from 'gatecheck-simulators/client';
import type { CallKind } from '../../generators/breaker-timeline.ts';
import { native } from '../../generators/native-answer.ts';
import type { Outcome } from '../../oracle/breaker.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';

/** The upstream's behaviour in a call of this kind. */
export function replyOf(kind: CallKind, dialect: Dialect, stream: boolean): Reply {
  switch (kind) {
    case 'ok':
      return { text: 'All is well.' };
    case 'server':
      return serverFault;
    case 'busy':
      // Sends no Retry-After, so there is no pause to respect.
      return { status: 503, body: { error: { message: 'Too much to do.' } } };
    case 'connection':
      return { cut: { after: 'head', by: 'rst' } };
    case 'garbage':
      return { status: 200, body: '<h1>It works!</h1>' };
    case 'timeout':
      return { hang: 'head' };
    case 'policy':
      return native(dialect).blocked(stream);
    case 'context':
      return native(dialect).tooLong;
    case 'leave':
      return { gates: ['head'] };
    case 'break':
      return { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'rst' } };
  }
}

/** The outcome that each upstream request of such a call counts as for its channel (reading B-108). */
export function outcomeOfKind(kind: CallKind): Outcome {
  switch (kind) {
    case 'ok':
      return 'success';
    case 'server':
    case 'busy':
    case 'connection':
    case 'garbage':
    case 'timeout':
      return 'failure';
    case 'policy':
    case 'context':
    case 'leave':
      return 'ignored';
    case 'break':
      // It worked up to a point, and the deployment decides which outcome counts.
      return 'unsure';
  }
}
