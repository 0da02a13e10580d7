import type { Mutant } from './mutant.ts';
import { authMutants } from './mutants/auth.ts';
import { authMoneyMutants } from './mutants/auth-money.ts';
import { authSourceMutants } from './mutants/auth-source.ts';
import { billMutants } from './mutants/bill.ts';
import { billSourceMutants } from './mutants/bill-source.ts';
import { cacheMutants } from './mutants/cache.ts';
import { cacheMoneyMutants } from './mutants/cache-money.ts';
import { catalogueMutants } from './mutants/catalogue.ts';
import { chatAnswerMutants } from './mutants/chat-answers.ts';
import { chatBehaviourMutants } from './mutants/chat-behaviour.ts';
import { chatBodyMutants } from './mutants/chat-bodies.ts';
import { lenientFieldMutants } from './mutants/chat-fields-lenient.ts';
import { strictFieldMutants } from './mutants/chat-fields-strict.ts';
import { chatForwardingMutants } from './mutants/chat-forwarding.ts';
import { chatModelMutants } from './mutants/chat-models.ts';
import { compaAnswerMutants } from './mutants/compa-answers.ts';
import { compaCallerMutants } from './mutants/compa-callers.ts';
import { compaFailureMutants } from './mutants/compa-failures.ts';
import { compaRefusalMutants } from './mutants/compa-refusals.ts';
import { compaRequestMutants } from './mutants/compa-requests.ts';
import { compaRichMutants, facesRichMutants } from './mutants/compa-rich.ts';
import { compbAnswerMutants } from './mutants/compb-answers.ts';
import { compbCallMutants } from './mutants/compb-calls.ts';
import { compbKeyMutants } from './mutants/compb-keys.ts';
import { compbRefusalMutants } from './mutants/compb-refusals.ts';
import { compbRequestMutants } from './mutants/compb-requests.ts';
import { compbRichMutants } from './mutants/compb-rich.ts';
import { compbTurnMutants } from './mutants/compb-turns.ts';
import { contentBlockMutants } from './mutants/content-blocks.ts';
import { conversationMutants } from './mutants/conversations.ts';
import { epMutants } from './mutants/ep.ts';
import { errMutants } from './mutants/err.ts';
import { errHttpMutants } from './mutants/err-http.ts';
import { facesAnswerMutants } from './mutants/faces-answers.ts';
import { facesPathMutants } from './mutants/faces-paths.ts';
import { facesSourceMutants } from './mutants/faces-source.ts';
import { faultChargeMutants } from './mutants/fault-charges.ts';
import { faultMutants } from './mutants/faults.ts';
import { faultSourceMutants } from './mutants/faults-source.ts';
import { hookMutants } from './mutants/hook.ts';
import { hookFormMutants } from './mutants/hook-forms.ts';
import { hookKitMutants } from './mutants/hook-kit.ts';
import { hookTargetMutants } from './mutants/hook-targets.ts';
import { huntedRouteMutants } from './mutants/hunted-route.ts';
import { imageFieldMutants } from './mutants/image-fields.ts';
import { imgMutants } from './mutants/img.ts';
import { jobFaultMutants } from './mutants/job-faults.ts';
import { limMutants } from './mutants/lim.ts';
import { limContextMutants } from './mutants/lim-context.ts';
import { limMoneyMutants } from './mutants/lim-money.ts';
import { limRefusedMutants } from './mutants/lim-refused.ts';
import { limSlotMutants } from './mutants/lim-slots.ts';
import { mediaMutants } from './mutants/media.ts';
import { journeyMutants } from './mutants/media-chains.ts';
import { mediaMoneyMutants } from './mutants/media-money.ts';
import { mediaRouteMutants } from './mutants/media-routes.ts';
import { songMutants } from './mutants/media-songs.ts';
import { mediaValueMutants } from './mutants/media-values.ts';
import { messageMutants } from './mutants/messages.ts';
import { nativeCountMutants } from './mutants/native-counts.ts';
import { nativeEndingMutants } from './mutants/native-endings.ts';
import { nativeFormMutants } from './mutants/native-forms.ts';
import { nativeLossMutants } from './mutants/native-losses.ts';
import { nativeRequestMutants } from './mutants/native-requests.ts';
import { nativeRoundMutants } from './mutants/native-rounds.ts';
import { reportFaultMutants } from './mutants/report-faults.ts';
import { requestFormMutants } from './mutants/request-forms.ts';
import { respMutants } from './mutants/resp.ts';
import { routeMutants } from './mutants/route.ts';
import { routeAnswerMutants } from './mutants/route-answers.ts';
import { routeBreakerMutants } from './mutants/route-breaker.ts';
import { routeChoiceMutants } from './mutants/route-choice.ts';
import { soundFieldMutants } from './mutants/sound-fields.ts';
import { specialCaseMutants } from './mutants/special-cases.ts';
import { sseMutants } from './mutants/sse.ts';
import { stateMutants } from './mutants/states.ts';
import { streamModelMutants } from './mutants/stream-models.ts';
import { taskMutants } from './mutants/tasks.ts';
import { toolCallMutants } from './mutants/tool-calls.ts';
import { toolDefinitionMutants } from './mutants/tool-definitions.ts';
import { videoFieldMutants } from './mutants/video-fields.ts';

/** Every mutant there is. */
export const allMutants: readonly Mutant[] = [
  ...compaRequestMutants,
  ...compaRichMutants,
  ...compaAnswerMutants,
  ...compaRefusalMutants,
  ...compaCallerMutants,
  ...compaFailureMutants,
  ...lenientFieldMutants,
  ...strictFieldMutants,
  ...chatModelMutants,
  ...chatForwardingMutants,
  ...chatBodyMutants,
  ...chatBehaviourMutants,
  ...chatAnswerMutants,
  ...messageMutants,
  ...conversationMutants,
  ...contentBlockMutants,
  ...mediaMutants,
  ...mediaMoneyMutants,
  ...mediaRouteMutants,
  ...toolDefinitionMutants,
  ...toolCallMutants,
  ...catalogueMutants,
  ...cacheMutants,
  ...cacheMoneyMutants,
  ...billMutants,
  ...billSourceMutants,
  ...nativeRequestMutants,
  ...nativeRoundMutants,
  ...nativeCountMutants,
  ...nativeEndingMutants,
  ...nativeFormMutants,
  ...nativeLossMutants,
  ...respMutants,
  ...sseMutants,
  ...streamModelMutants,
  ...routeMutants,
  ...routeBreakerMutants,
  ...routeChoiceMutants,
  ...routeAnswerMutants,
  ...huntedRouteMutants,
  ...compbRequestMutants,
  ...compbRichMutants,
  ...facesRichMutants,
  ...compbTurnMutants,
  ...compbAnswerMutants,
  ...compbCallMutants,
  ...compbRefusalMutants,
  ...compbKeyMutants,
  ...facesPathMutants,
  ...facesAnswerMutants,
  ...facesSourceMutants,
  ...epMutants,
  ...authMutants,
  ...authSourceMutants,
  ...authMoneyMutants,
  ...errMutants,
  ...errHttpMutants,
  ...faultMutants,
  ...faultSourceMutants,
  ...faultChargeMutants,
  ...jobFaultMutants,
  ...reportFaultMutants,
  ...hookMutants,
  ...hookFormMutants,
  ...hookTargetMutants,
  ...hookKitMutants,
  ...imgMutants,
  ...taskMutants,
  ...stateMutants,
  ...limMutants,
  ...limSlotMutants,
  ...limContextMutants,
  ...limMoneyMutants,
  ...limRefusedMutants,
  ...requestFormMutants,
  ...specialCaseMutants,
  ...imageFieldMutants,
  ...videoFieldMutants,
  ...soundFieldMutants,
  ...mediaValueMutants,
  ...journeyMutants,
  ...songMutants,
];
