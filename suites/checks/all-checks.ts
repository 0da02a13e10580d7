import type { Check } from '../engine/check.ts';
import { authChecks } from './auth/auth-checks.ts';
import { catChecks } from './cat/cat-checks.ts';
import { chatChecks } from './chat/chat-checks.ts';
import { epChecks } from './ep/ep-checks.ts';
import { errChecks } from './err/err-checks.ts';
import { limChecks } from './lim/lim-checks.ts';
import { msgChecks } from './msg/msg-checks.ts';
import { contentIsTheUpstreams } from './resp/content.ts';
import { createdIsNow } from './resp/created.ts';
import {
  callsDecide,
  cutByMaxTokensIsLength,
  endInCallsIsToolCalls,
  naturalEndIsStop,
} from './resp/finish.ts';
import { idsAreDistinct } from './resp/ids.ts';
import { longAndFreshChecks } from './resp/long-and-fresh.ts';
import { modelIsOfTheCatalogue } from './resp/model-name.ts';
import { filteredAnswerSaysSo, oddReasonsAreMapped } from './resp/native-finish.ts';
import { plainAnswerHasItsShape } from './resp/shape.ts';
import { promptTokensCoverMessages, promptTokensCoverTools } from './resp/usage-grows.ts';
import { silentUpstreamIsNoExcuse } from './resp/usage-silent.ts';
import { usageIsTheUpstreams } from './resp/usage-verbatim.ts';
import { retryAfterTimeoutSucceeds, timeoutIsRetriedOnce } from './route/timeout.ts';
import { junkIsUpstreamError } from './route/unclassifiable.ts';
import { everySplitJoins, splitBytesJoin } from './sse/every-split.ts';
import { cutCallsAreSeen } from './sse/failed-calls.ts';
import { brokenStreamsAreSeen, cutStreamsAreSeen, stalledStreamsAreSeen } from './sse/failures.ts';
import { streamedJsonParses } from './sse/json-object.ts';
import { streamEqualsPlain } from './sse/plain-twin.ts';
import { earlyFailuresArePlain, refusedStreamsArePlain } from './sse/refusals.ts';
import { streamHasItsShape } from './sse/shape.ts';
import { streamFlagDecides } from './sse/stream-flag.ts';
import { streamIsUnbuffered } from './sse/unbuffered.ts';
import { toolChecks } from './tool/tool-checks.ts';
import { verChecks } from './ver/ver-checks.ts';

/** Every check there is, in the order in which reports show them: by area, as the register has them. */
export const allChecks: readonly Check[] = [
  ...chatChecks,
  ...msgChecks,
  ...toolChecks,
  plainAnswerHasItsShape,
  idsAreDistinct,
  createdIsNow,
  modelIsOfTheCatalogue,
  contentIsTheUpstreams,
  ...longAndFreshChecks,
  naturalEndIsStop,
  cutByMaxTokensIsLength,
  endInCallsIsToolCalls,
  callsDecide,
  oddReasonsAreMapped,
  filteredAnswerSaysSo,
  usageIsTheUpstreams,
  silentUpstreamIsNoExcuse,
  promptTokensCoverMessages,
  promptTokensCoverTools,
  streamHasItsShape,
  everySplitJoins,
  splitBytesJoin,
  streamEqualsPlain,
  refusedStreamsArePlain,
  earlyFailuresArePlain,
  cutStreamsAreSeen,
  brokenStreamsAreSeen,
  cutCallsAreSeen,
  stalledStreamsAreSeen,
  streamFlagDecides,
  streamedJsonParses,
  streamIsUnbuffered,
  timeoutIsRetriedOnce,
  retryAfterTimeoutSucceeds,
  junkIsUpstreamError,
  ...catChecks,
  ...epChecks,
  ...authChecks,
  ...errChecks,
  ...limChecks,
  ...verChecks,
];
