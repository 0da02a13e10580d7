import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject, RequestBody } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { native } from '../../generators/native-answer.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { faultyBody, type WayIn, wayLabel } from './way-in.ts';

/** Sends a call that the gateway refuses. */
export type Refusing = () => LiveExchange;

type Body = (body: JsonObject) => RequestBody;

/** Bodies that no endpoint serves. Each is refused at another stage. */
const bodies: readonly (readonly [what: string, body: Body])[] = [
  ['broken JSON', () => '{"model":'],
  ['no JSON object', () => '[]'],
  ['no body', () => ''],
];

/** At least as many as an endpoint has. */
export const refusalsAtMost = 8;

/**
 * The ways in which a gateway refuses a call of this endpoint by itself: each leaves it at another place, where the slot can be
 * forgotten. Some deployments serve a few of them.
 */
export function refusalsOf(parts: CheckParts, way: WayIn): readonly Refusing[] {
  const { http, tasks, newScene, rng } = parts;
  const good = (): JsonObject => way.body(newScene());
  const label = (what: string): string => `${wayLabel(way)}, ${what}`;
  const sent = (what: string, body: Body, headers: Readonly<Record<string, string>> = {}): Refusing => {
    return () => way.open(parts, body(good()), { label: label(what), headers });
  };
  const model = `no-such-model-${rng.hex(6)}`;
  const unknown: Refusing =
    way.name === 'compat-b'
      ? () => http.openCompatB(model, good(), { label: label('an unknown model'), stream: way.stream })
      : sent('an unknown model', (body) => ({ ...body, model }));
  const others: Readonly<Partial<Record<WayIn['name'], readonly Refusing[]>>> = {
    'compat-a': [() => http.openCompatA(good(), { label: label('no version'), version: null })],
    tasks: [() => tasks.openRead('task_of_nobody', { label: 'a task that does not exist' })],
  };
  return [
    sent('a faulty field', (body) => faultyBody(way, body)),
    ...(others[way.name] ?? []),
    unknown,
    ...(way.protocol === null ? [] : [sent('beyond the window', (body) => beyondWindow(way, body))]),
    ...bodies.map(([what, body]) => sent(what, body)),
    sent('no JSON by its type', (body) => body, { 'content-type': 'text/plain' }),
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
