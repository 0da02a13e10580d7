import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { keepClosedBy } from '../failures/breaker-budget.ts';
import { callsServedAgain } from '../failures/served-again.ts';
import { protocols } from '../protocols/protocol.ts';
import { formsOn, keepProtocolClosed, type ProtocolModel } from '../protocols/protocol-model.ts';
import { mediaIdsOf } from '../routes/call-route.ts';
import { type ChatWay, chatWay, imagesWay, type Rule, tasksWay, type WayIn, wayLabel } from './way-in.ts';

const forms = new WeakMap<Target, Map<string, readonly boolean[]>>();

/**
 * The chat protocols of a deployment, plain and streamed, each with a model drawn by seed. Protocols that are declared absent
 * or have no model are left out, with a note.
 */
export async function chatWaysOf(parts: CheckParts): Promise<readonly ChatWay[]> {
  const { target, judge } = parts;
  const ways: ChatWay[] = [];
  for (const protocol of protocols) {
    if (protocol.fact !== null && target.profile.absent.includes(protocol.fact)) continue;
    const models = target.nativeModels.filter((model) => protocol.serves(model));
    if (models.length === 0) {
      judge.note(`no model of ${protocol.name} is enabled`);
      continue;
    }
    const model = target.draw(models);
    for (const stream of await knownForms(parts, { protocol, model }))
      ways.push(chatWay(protocol, model, stream));
  }
  return ways;
}

/** Images and tasks, each with a model drawn by seed, as far as the deployment has one. */
export function mediaWaysOf({ target, judge }: CheckParts): readonly WayIn[] {
  return (['images', 'tasks'] as const).flatMap((endpoint) => {
    const models = mediaIdsOf(target, endpoint);
    if (models.length === 0)
      judge.note(`no model of the ${endpoint} endpoint is enabled whose files the profile declares`);
    if (models.length === 0) return [];
    const model = target.draw(models);
    return endpoint === 'images' ? imagesWay(model) : tasksWay(model);
  });
}

/** Every way to generate something here: the chat protocols in each form, images and tasks. */
export async function waysOf(parts: CheckParts): Promise<readonly WayIn[]> {
  return [...(await chatWaysOf(parts)), ...mediaWaysOf(parts)];
}

/**
 * The forms of a protocol, determined once in a check, because a check may need them while all slots of the caller are taken.
 */
async function knownForms(parts: CheckParts, protocolModel: ProtocolModel): Promise<readonly boolean[]> {
  const known = forms.get(parts.target) ?? new Map<string, readonly boolean[]>();
  forms.set(parts.target, known);
  const { name } = protocolModel.protocol;
  const found = known.get(name) ?? (await formsOn(parts, protocolModel));
  known.set(name, found);
  return found;
}

/**
 * Call this before a call that will fail at the upstream. It makes the good calls that keep the breaker closed, on the same
 * endpoint.
 */
export async function keepWayClosed(parts: CheckParts, way: WayIn, coming = 2): Promise<void> {
  const { newScene } = parts;
  const { protocol, model } = way;
  if (protocol !== null) return keepProtocolClosed(parts, { protocol, model }, coming);
  await keepClosedBy(parts, model, coming, async () => {
    await way.open(parts, way.body(newScene()), { label: `a good call on ${model}, ${wayLabel(way)}` }).done;
  });
}

/** Judges that good calls on these endpoints are served again after upstream failures, once no channel is paused. */
export async function waysServeAgain(
  parts: CheckParts,
  ways: readonly WayIn[],
  rule: Rule,
  times = 1,
): Promise<void> {
  const calls = ways.map((way) => ({
    ask: () => {
      const body = way.body(parts.newScene());
      return () => way.send(parts, body, { label: `a good call on ${way.model}, ${wayLabel(way)}` });
    },
    judge: (exchange: Exchange) => way.judgeServed(parts, exchange, rule),
  }));
  await callsServedAgain(parts, calls, times);
}
