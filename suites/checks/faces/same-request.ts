import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { nativeRequests, withMarker } from '../../generators/compat/native-request.ts';
import { type JsonDifference, memberDifference, memberOf } from '../../oracle/compat/same-json.ts';
import { messagesDifferences } from '../../oracle/compat/same-messages.ts';
import { lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { flag, part } from '../../rules/violation.ts';
import { readRequest } from '../../steps/chat/upstream-view.ts';
import { routesOf, scriptSecond } from '../../steps/failures/routed-call.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, formsOn, keepProtocolClosed } from '../../steps/protocols/protocol-model.ts';
import { mayServe, readSaid, servesRoute } from '../../steps/protocols/said.ts';

const requirement = 'ROUTE-006';

type BodyOf = (scene: Scene, model: string) => JsonObject;

/** Native requests with content that other protocols cannot express. */
const richBodies: Readonly<Record<'compat-a' | 'compat-b', BodyOf>> = {
  'compat-a': (scene, model) => ({
    model,
    max_tokens: 256,
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    tools: [lookUp],
    messages: [
      { role: 'user', content: 'What is the sea?' },
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, use('toolu_1', '{"n":1}')] },
      { role: 'user', content: [result('toolu_1', { content: 'No.', is_error: true })] },
      { role: 'assistant', content: 'It is not known.' },
      { role: 'user', content: scene.prompt() },
    ],
  }),
  'compat-b': (scene) => ({
    contents: [
      { role: 'user', parts: [{ text: 'What is ' }, { text: 'the sea?' }] },
      { role: 'model', parts: [{ text: 'Water.', thoughtSignature: 'c2VhLXNlYQ==' }] },
      { role: 'user', parts: [{ text: scene.prompt() }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'look_up', description: 'Looks up.' }] }],
    generationConfig: { maxOutputTokens: 256, topK: 7, thinkingConfig: { thinkingBudget: 512 } },
  }),
};

export const retriedAsItWas = defineCheck({
  id: 'faces.retry.same-request',
  title: 'a retry on a compat path sends the same native request again, also elsewhere and to a fallback',
  requirements: [requirement, 'RESP-005'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const { protocol, models } of compatOf(parts))
      for (const course of [once(models[0]), ...(await routedCourses(parts, protocol))])
        for (const stream of await formsOn(parts, { protocol, model: course.model }))
          for (const bodyOf of bodiesOf(parts, protocol))
            await part(() => judgeAgain(parts, protocol, course, { stream, bodyOf }));
  },
});

/** How a second attempt is provoked: the model's first answer fails, or some of its channels always fail. */
interface Course {
  readonly model: string;
  readonly failing: readonly string[];
  /** The model that answers. */
  readonly served: string;
}

function once(model: string): Course {
  return { model, failing: [], served: model };
}

function fallenBack({ model, fallback, channels }: RouteProfile): Course {
  return { model, failing: channels.map(({ name }) => name), served: fallback ?? model };
}

/** One model with a second channel and one with a declared fallback, where all channels speak the protocol. */
async function routedCourses(parts: CheckParts, protocol: Protocol): Promise<Course[]> {
  const { target } = parts;
  const speaks = ({ model, fallback = model, channels }: RouteProfile): boolean =>
    [model, fallback].every((id) => mayServe(protocol, id)) &&
    channels.every(({ dialect }) => dialect === protocol.dialect);
  const pair = routesOf(target, 'pair').find(speaks);
  const reserve = routesOf(target, 'fallback').find(speaks);
  const courses = [
    ...(pair === undefined ? [] : [once(pair.model)]),
    ...(reserve === undefined ? [] : [fallenBack(reserve)]),
  ];
  const served = await Promise.all(courses.map(({ model }) => servesRoute(parts, { protocol, model })));
  return courses.filter((_, place) => served[place]);
}

/** Native fields that a deployment may refuse (reading B-92). */
const mayBeRefused = ['top_k', 'metadata', 'thinking'];

/** The request with everything, and on compat path A one that is drawn from all legal ones without images. */
function bodiesOf({ rng }: CheckParts, { name }: Protocol): BodyOf[] {
  if (name === 'core') return [];
  if (name === 'compat-b') return [richBodies[name]];
  const [drawn] = fc.sample(
    nativeRequests.filter(
      ({ hasImage, members }) => !hasImage && !mayBeRefused.some((name) => Object.hasOwn(members, name)),
    ),
    { seed: rng.int(2 ** 31), numRuns: 1 },
  );
  const drawnBody: BodyOf[] =
    drawn === undefined ? [] : [(scene, model) => withMarker(drawn, model, scene.marker)];
  return [richBodies[name], ...drawnBody];
}

async function judgeAgain(
  parts: CheckParts,
  protocol: Protocol,
  { model, failing, served }: Course,
  { stream, bodyOf }: { readonly stream: boolean; readonly bodyOf: BodyOf },
): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  await keepProtocolClosed(parts, { protocol, model });
  const scene = newScene();
  await scriptSecond(scene, failing, { text: 'Second time lucky.' });
  const body = bodyOf(scene, model);
  const label = `${protocol.name}, ${model}, which fails at first${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  const requests = await scene.requestsNow();
  // Only a silent upstream must be retried (reading B-106), and another check judges that.
  if (requests.length < 2) {
    judge.note(`${label}: asked once`);
    return;
  }
  readSaid(judge, protocol, exchange, { requirement, aspect: 'retry-answers', stream, model: served });
  for (const [attempt, request] of requests.entries()) {
    if (readRequest(request).view.dialect !== protocol.dialect) continue;
    for (const { path, expected, actual } of differencesOf(protocol, JSON.stringify(body), request.text))
      flag(false, {
        ...{ requirement, aspect: 'same-request-again', member: memberOf(path), exchange },
        expected: `${path} as sent, at attempt ${attempt + 1}: ${expected}`,
        actual,
      });
  }
}

function differencesOf(protocol: Protocol, sent: string, seen: string): readonly JsonDifference[] {
  if (protocol.name === 'compat-a') return messagesDifferences(sent, seen);
  const names = ['contents', 'tools', 'generationConfig'];
  return names.flatMap((name) => memberDifference(sent, seen, name) ?? []);
}
