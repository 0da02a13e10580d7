import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { drawnRound, legalRounds, type MediaRound, unusualRound } from '../../generators/media-rounds.ts';
import { numberedText } from '../../generators/numbered-text.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { followUpFault } from '../../oracle/media/follow-up.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import { type MediaView, mediaFault } from '../../oracle/media/upstream-view.ts';
import type { MediaRouteProfile } from '../../profile/profile.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { sendMedia } from '../../steps/fields/judge-legal.ts';
import { mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Shorter than the limit of any prompt, characters. */
const promptLength = 3_500;

export const mediaRetriesAreWhole: Check = defineCheck({
  id: 'route.media.whole-request',
  title: 'a second attempt at an image call or a task has every field, on any channel, and the whole prompt',
  requirements: ['ROUTE-002', 'ROUTE-016', 'VID-032'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target } = parts;
    const known = target.mediaModels.flatMap((id) => mediaModel(id) ?? []);
    // A few at a time, as each failure counts for the channel of its model only.
    await inTurns(target, known, (model) => part(() => judgeAgain(parts, model)));
    const routes = target.profile.upstream?.media_routes ?? [];
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
  if (isTask) await tasks.follow(tasks.accepted(exchange).taskId);
  const requests = await scene.requestsNow();
  const later = requests.filter(({ entry }) => entry.channel !== first.name);
  // Other checks judge whether a second attempt is required (reading B-106).
  if (later.length === 0) judge.note(`${id}: no other channel was asked`);
  for (const request of later) {
    const view = viewOf(request, id);
    const fault = followUpFault(withoutForm(body), {}, formless(view)) ?? nameFault(channels, request, view);
    judgeWhole(model, { exchange, request }, fault);
  }
}

/** A start whose answer is lost is repeated at once, if at all. */
const lostStart = { fault: { id: 'J2', form: 'reset' } } as const;

/** Judges each attempt after a failed one, whatever channel gets it. */
async function judgeAgain(parts: CheckParts, model: MediaModel): Promise<void> {
  const { cases, newScene, rng, tasks } = parts;
  cases.count();
  const scene = newScene();
  const { body } = unusualRound(model, mediaInputsOf(parts, scene), 'again', rng);
  const isTask = model.endpoint === 'tasks';
  await scene.script(isTask ? lostStart : serverFault, {});
  const exchange = await sendMedia(parts, model, body, { label: `${model.id}, whose first attempt fails` });
  if (isTask) await tasks.follow(tasks.accepted(exchange).taskId);
  for (const request of (await scene.requestsNow()).slice(1)) {
    const view = viewOf(request, model.id);
    judgeWhole(model, { exchange, request }, view === null ? null : mediaFault(body, view));
  }
}

/** Judges that a later attempt has all that the caller sent, and nothing else. */
function judgeWhole(
  model: MediaModel,
  { exchange, request }: { readonly exchange: Exchange; readonly request: UpstreamRequest },
  fault: FieldTexts | null,
): void {
  const aspect = model.endpoint === 'tasks' ? 'same-request' : 'same-pictures';
  if (fault === null) return;
  const { expected, actual } = fault;
  const requirement = rowOfRepeated(model);
  flag(false, { requirement, aspect, exchange, expected, actual, upstream: shown(request) });
}

interface FieldTexts {
  readonly expected: string;
  readonly actual: string;
}

/** Judges that each channel is called with its own name of the model. */
function nameFault(
  channels: MediaRouteProfile['channels'],
  { entry }: UpstreamRequest,
  view: MediaView | null,
): FieldTexts | null {
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
