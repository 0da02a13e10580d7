import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { drawnRound, legalRounds, type MediaRound } from '../../generators/media-rounds.ts';
import { numberedText } from '../../generators/numbered-text.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { followUpFault } from '../../oracle/media/follow-up.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import type { MediaView } from '../../oracle/media/upstream-view.ts';
import type { MediaRouteProfile } from '../../profile/profile.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import { sendMedia } from '../../steps/fields/judge-legal.ts';
import { mediaInputsOf } from '../../steps/fields/media-inputs.ts';

/** Shorter than the limit of any prompt, characters. */
const promptLength = 3_500;

export const mediaRetriesAreWhole: Check = defineCheck({
  id: 'route.media.whole-request',
  title: 'the channel that takes over an image call or a task gets every field, and the whole prompt',
  requirements: ['ROUTE-002', 'ROUTE-016', 'VID-032'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const routes = parts.target.profile.upstream?.media_routes ?? [];
    if (routes.length === 0) throw new Untestable('upstream.media_routes');
    for (const route of routes)
      for (const which of ['all', 'drawn'] as const) await part(() => judgeRoute(parts, route, which));
  },
});

async function judgeRoute(
  parts: CheckParts,
  { model: id, channels }: MediaRouteProfile,
  which: 'all' | 'drawn',
): Promise<void> {
  const { cases, newScene, rng, tasks, judge } = parts;
  const model = mediaModel(id);
  const [first] = channels;
  if (model === undefined || first === undefined)
    throw new Untestable('upstream.media_routes of the catalogue');
  cases.count();
  const scene = newScene();
  const inputs = mediaInputsOf(parts, scene);
  const round = which === 'all' ? legalRounds(model, inputs).at(-1) : drawnRound(model, inputs, 'drawn', rng);
  const body = withLongPrompt(parts, round as MediaRound);
  const isTask = model.endpoint === 'tasks';
  await scene.scriptOn(first.name, isTask ? { fault: { id: 'J1', form: 'server-error' } } : serverFault);
  const exchange = await sendMedia(parts, model, body, {
    label: `${id}, whose first channel fails, ${which}`,
  });
  const rule = { requirement: rowOfRepeated(model), exchange };
  if (isTask) await tasks.follow(tasks.accepted(exchange).taskId);
  const requests = await scene.requestsNow();
  const later = requests.filter(({ entry }) => entry.channel !== first.name);
  // Other checks judge whether a second attempt is required (reading B-106).
  if (later.length === 0) judge.note(`${id}: no other channel was asked`);
  for (const request of later) {
    const view = viewOf(request, id);
    const fault = followUpFault(withoutForm(body), {}, formless(view)) ?? nameFault(channels, request, view);
    if (fault !== null)
      flag(false, {
        ...rule,
        aspect: isTask ? 'same-request' : 'same-pictures',
        ...fault,
        upstream: shown(request),
      });
  }
}

/** Judges that each channel is called with its own name of the model. */
function nameFault(
  channels: MediaRouteProfile['channels'],
  { entry }: UpstreamRequest,
  view: MediaView | null,
): { readonly expected: string; readonly actual: string } | null {
  const native = channels.find(({ name }) => name === entry.channel)?.native_model;
  if (native === undefined || view?.nativeModel === native) return null;
  return { expected: `the model by its name at ${entry.channel}, ${native}`, actual: `${view?.nativeModel}` };
}

/**
 * The row that a faulty second attempt violates. Retrying a task on another channel is optional (ROUTE-016), but a retry must
 * be complete.
 */
export function rowOfRepeated({ endpoint, medium, row }: MediaModel): string {
  if (endpoint === 'images') return 'ROUTE-002';
  return medium === 'video' ? 'VID-032' : row;
}

/** The number and form of images are judged by the answer. */
function withoutForm(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name !== 'response_format' && name !== 'n'),
  );
}

function formless(view: MediaView | null): MediaView | null {
  return view === null ? null : { ...view, fields: withoutForm(view.fields) };
}

function withLongPrompt({ rng }: CheckParts, { model, body }: MediaRound): MediaRound['body'] {
  const takesPrompt = fieldsOf(model.id).some(({ name }) => name === 'prompt');
  return takesPrompt ? { ...body, prompt: `${numberedText(rng, promptLength)} ${body.prompt}` } : body;
}
