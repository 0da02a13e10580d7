import type { Check } from '../../engine/check.ts';
import { contentIsTheUpstreams } from './content.ts';
import { createdIsNow } from './created.ts';
import { callsDecide, cutByMaxTokensIsLength, endInCallsIsToolCalls, naturalEndIsStop } from './finish.ts';
import { idsAreDistinct } from './ids.ts';
import { longAndFreshChecks } from './long-and-fresh.ts';
import { modelIsOfTheCatalogue } from './model-name.ts';
import { filteredAnswerSaysSo, oddReasonsAreMapped } from './native-finish.ts';
import { everyNativeFormIsRead } from './native-forms.ts';
import { plainAnswerHasItsShape } from './shape.ts';
import { upstreamIdsAreNotTrusted } from './upstream-ids.ts';
import { usageIsWhole } from './usage-forms.ts';
import { promptTokensCoverMessages, promptTokensCoverTools } from './usage-grows.ts';
import { silentUpstreamIsNoExcuse } from './usage-silent.ts';
import { usageIsTheUpstreams } from './usage-verbatim.ts';

/** The area RESP: plain answers, and what streamed ones share with them. */
export const respChecks: readonly Check[] = [
  plainAnswerHasItsShape,
  idsAreDistinct,
  upstreamIdsAreNotTrusted,
  createdIsNow,
  modelIsOfTheCatalogue,
  contentIsTheUpstreams,
  everyNativeFormIsRead,
  ...longAndFreshChecks,
  naturalEndIsStop,
  cutByMaxTokensIsLength,
  endInCallsIsToolCalls,
  callsDecide,
  oddReasonsAreMapped,
  filteredAnswerSaysSo,
  usageIsTheUpstreams,
  usageIsWhole,
  silentUpstreamIsNoExcuse,
  promptTokensCoverMessages,
  promptTokensCoverTools,
];
