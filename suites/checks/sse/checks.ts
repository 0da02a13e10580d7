import type { Check } from '../../engine/check.ts';
import { chatIsUntold } from './chat-sends-nothing.ts';
import { everyModelStreams } from './every-model.ts';
import { everySplitJoins, splitBytesJoin } from './every-split.ts';
import { cutCallsAreSeen } from './failed-calls.ts';
import {
  brokenStreamsAreSeen,
  cutStreamsAreSeen,
  failureComesFirst,
  stalledStreamsAreSeen,
} from './failures.ts';
import { streamedJsonParses } from './json-object.ts';
import { streamEqualsPlain } from './plain-twin.ts';
import { earlyFailuresArePlain, refusedStreamsArePlain } from './refusals.ts';
import { streamHasItsShape } from './shape.ts';
import { streamFlagDecides } from './stream-flag.ts';
import { usageComesAnyway } from './stream-options.ts';
import { streamIsUnbuffered } from './unbuffered.ts';
import { lastUsageCounts } from './usage-running.ts';

/** The area SSE: streamed answers. */
export const sseChecks: readonly Check[] = [
  streamHasItsShape,
  everyModelStreams,
  everySplitJoins,
  splitBytesJoin,
  lastUsageCounts,
  usageComesAnyway,
  streamEqualsPlain,
  refusedStreamsArePlain,
  earlyFailuresArePlain,
  failureComesFirst,
  cutStreamsAreSeen,
  brokenStreamsAreSeen,
  cutCallsAreSeen,
  stalledStreamsAreSeen,
  streamFlagDecides,
  streamedJsonParses,
  streamIsUnbuffered,
  chatIsUntold,
];
