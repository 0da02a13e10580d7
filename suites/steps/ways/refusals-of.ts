import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject, RequestBody } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { native } from '../../generators/native-answer.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import type { KnownRefusal } from '../../oracle/known-refusal.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { faultyBody, type WayIn, wayLabel } from './way-in.ts';

/** A call that the gateway refuses by itself. */
export interface Refusal {
  readonly send: () => LiveExchange;
  /** Null where some deployments serve it, or choose another code. */
  readonly code: KnownRefusal['code'] | null;
}

type Body = (body: JsonObject) => RequestBody;

/** Bodies that no endpoint serves. Each is refused at another stage. */
const bodies: readonly (readonly [what: string, code: Refusal['code'], body: Body])[] = [
  ['broken JSON', 'invalid_param', () => '{"model":'],
  ['no JSON object', 'invalid_param', () => '[]'],
  ['no body', null, () => ''],
];

/** At least as many as an endpoint has. */
export const refusalsAtMost = 8;

/**
 * The ways in which a gateway refuses a call of this endpoint by itself: each leaves it at another place, where the slot can be
 * forgotten.
 */
export function refusalsOf(parts: CheckParts, way: WayIn): readonly Refusal[] {
  const { http, tasks, newScene, rng, target } = parts;
  const good = (): JsonObject => way.body(newScene());
  const labelled = (what: string) => ({ label: `${wayLabel(way)}, ${what}` });
  const sent = (what: string, code: Refusal['code'], body: Body, headers = {}): Refusal => ({
    code,
    send: () => way.open(parts, body(good()), { ...labelled(what), headers }),
  });
  const model = `no-such-model-${rng.hex(6)}`;
  const nobody = labelled('an unknown model');
  const unknown: Refusal =
    way.name === 'compat-b'
      ? {
          code: 'model_not_found',
          send: () => http.openCompatB(model, good(), { ...nobody, stream: way.stream }),
        }
      : sent('an unknown model', 'model_not_found', (body) => ({ ...body, model }));
  const [blind] = rng.shuffle(target.models.filter((id) => chatModel(id)?.vision === false));
  const content = [{ type: 'image_url', image_url: { url: pixelDataUri } }];
  const pictured = { model: blind, messages: [{ role: 'user', content }] };
  const noVersion = { ...labelled('no version'), version: null };
  const others: Readonly<Partial<Record<WayIn['name'], readonly Refusal[]>>> = {
    core:
      blind === undefined
        ? []
        : [
            sent('an image for a model without Vision', 'unsupported_capability', (body) => ({
              ...body,
              ...pictured,
            })),
          ],
    'compat-a': [{ code: null, send: () => http.openCompatA(good(), noVersion) }],
    tasks: [
      {
        code: 'task_not_found',
        send: () => tasks.openRead('task_of_nobody', labelled('a task that does not exist')),
      },
    ],
  };
  return [
    sent('a faulty field', 'invalid_param', (body) => faultyBody(way, body)),
    ...(others[way.name] ?? []),
    unknown,
    ...(way.protocol === null
      ? []
      : [sent('beyond the window', 'context_too_long', (body) => beyondWindow(way, body))]),
    ...bodies.map(([what, code, body]) => sent(what, code, body)),
    sent('no JSON by its type', null, (body) => body, { 'content-type': 'text/plain' }),
  ];
}

/** Asks for more tokens than the window of the model has. */
function beyondWindow({ name, model }: WayIn, body: JsonObject): JsonObject {
  const known = chatModel(model);
  const tokens = known === undefined ? 0 : surelyAbove(known);
  return name === 'compat-b'
    ? { ...body, generationConfig: { maxOutputTokens: tokens } }
    : { ...body, max_tokens: tokens };
}

/** How upstreams refuse or fail a call, in turn. None of these answers asks for a pause. */
export async function scriptFailure(
  scene: Scene,
  { protocol, model, stream }: WayIn,
  round: number,
): Promise<void> {
  const odd = { status: 418, body: 'short and stout' };
  const none = { status: 200, body: 'no answer' };
  const ofChat = () => native(dialectOf(model));
  const replies =
    protocol === null ? [odd, blockedSubmit, none] : [odd, ofChat().blocked(stream), none, ofChat().tooLong];
  await scene.script(replies[round % replies.length] ?? odd);
}

/** At least as many as `scriptFailure` knows. */
export const failuresAtMost = 4;
