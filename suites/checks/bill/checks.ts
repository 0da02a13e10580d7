import type { Check } from '../../engine/check.ts';
import { abandonedStreamsCostWhatIsDeclared } from './abandoned.ts';
import { balanceFallsByTheCharge } from './balance.ts';
import { cachedTokensAreCheaper } from './cached.ts';
import { chainChecks } from './chain.ts';
import { chargesAreExact } from './exact.ts';
import { failedCallChecks } from './failed.ts';
import { ledgerFollowsItsModel } from './ledger-model.ts';
import { chargesAreLinear } from './linear.ts';
import { appsPayTheirMarkup } from './markup.ts';
import { failedMediaChecks } from './media-failed.ts';
import { mediaCostTheirListPrice, statedPriceChecks } from './media-prices.ts';
import { nothingElseIsCharged } from './nothing-else.ts';
import { tokensCountAgainstTheQuota } from './quota.ts';
import { retryChargeChecks } from './retried.ts';
import { retriesCountOnce } from './retried-everywhere.ts';
import { chatTellsOneStory } from './story/chat-story.ts';
import { mediaTellOneStory } from './story/media-story.ts';
import { streamsCostTheSame } from './streamed.ts';
import { nothingIsInvented } from './uncounted.ts';

/** The area BILL: what calls cost, to the token and to the last digit. */
export const billChecks: readonly Check[] = [
  nothingElseIsCharged,
  nothingIsInvented,
  chargesAreLinear,
  chargesAreExact,
  appsPayTheirMarkup,
  cachedTokensAreCheaper,
  balanceFallsByTheCharge,
  ledgerFollowsItsModel,
  tokensCountAgainstTheQuota,
  ...failedCallChecks,
  ...retryChargeChecks,
  retriesCountOnce,
  streamsCostTheSame,
  abandonedStreamsCostWhatIsDeclared,
  ...statedPriceChecks,
  mediaCostTheirListPrice,
  ...chainChecks,
  ...failedMediaChecks,
  chatTellsOneStory,
  mediaTellOneStory,
];
