import type { CompatBOptions } from '../../engine/compat-request.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import {
  type ExpectedGenerate,
  type GenerateAnswer,
  judgeGenerateAnswer,
} from '../../oracle/compat/generate-answer.ts';
import {
  type BrokenGenerate,
  judgeBrokenGenerate,
  judgeGenerateStream,
} from '../../oracle/compat/generate-stream.ts';
import { memberDifference } from '../../oracle/compat/same-json.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type NativeRequest, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { compatB } from '../../steps/protocols/protocol.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A requirement, and the aspect to report under. */
export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

const streaming = new WeakMap<Target, Promise<boolean>>();

/** Statuses of a gateway that does not stream here. */
const noStream = [400, 404, 405];

/** The enabled models of compat path B. */
export function gammaModels(target: Target): readonly string[] {
  const models = target.nativeModels.filter((id) => compatB.serves(id));
  if (models.length === 0) throw new Untestable('models.enabled with a gamma model');
  return models;
}

/** A gamma model, drawn by seed. */
export function gammaModel(target: Target): string {
  return target.draw(gammaModels(target));
}

/** Whether the deployment streams on this path, which is optional (reading B-91). If not, it must refuse cleanly. */
export function streamsB(parts: CheckParts): Promise<boolean> {
  const known = streaming.get(parts.target) ?? probe(parts);
  streaming.set(parts.target, known);
  return known;
}

/** The forms of a call to try: plain, and streamed where the path streams. */
export async function formsB(parts: CheckParts): Promise<readonly boolean[]> {
  return (await streamsB(parts)) ? [false, true] : [false];
}

/** Judges an answer of compat path B, and notes anything unusual. */
export function answeredB(
  judge: Judge,
  exchange: Exchange,
  stream: boolean,
  expected: ExpectedGenerate,
): GenerateAnswer {
  const answer = (stream ? judgeGenerateStream : judgeGenerateAnswer)(exchange, expected);
  for (const text of answer.notes) judge.note(text);
  return answer;
}

/** Judges a stream of compat path B whose upstream failed after the first byte. */
export function brokenB({ channels, judge }: CheckParts, exchange: Exchange, model: string): BrokenGenerate {
  const stream = judgeBrokenGenerate(exchange, { model }, Object.values(channels));
  for (const text of stream.notes) judge.note(text);
  return stream;
}

/** A minimal call that must be served, as the positive twin of a refusal. */
export async function twinB(
  { http, newScene, judge }: CheckParts,
  model: string,
  body?: JsonObject,
): Promise<Exchange> {
  const exchange = await http.compatB(model, body ?? newScene().minimalB(), { label: 'positive twin' });
  answeredB(judge, exchange, false, { requirement: 'COMPB-001', aspect: 'served', model });
  return exchange;
}

/** The scene's one upstream request in this protocol. Only this protocol allows an exact comparison. */
export async function atUpstream(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<NativeRequest> {
  const native = await nativeRequest(scene, requirement, exchange);
  if (native.view.dialect !== 'generate-content')
    throw new Untestable('gamma models whose upstream speaks generate-content');
  return native;
}

/** Judges that a member of the body reached the upstream with exactly this value. */
export function judgeUnchanged(
  name: string,
  { body, native, exchange }: { body: JsonObject; native: NativeRequest; exchange: Exchange },
  rule: Rule,
): void {
  const found = memberDifference(JSON.stringify(body), native.text, name);
  const expected = `${found?.path} at the upstream as the caller sent it: ${found?.expected}`;
  must(found === null, { ...rule, expected, actual: found?.actual ?? '', exchange, upstream: shown(native) });
}

/** The label of a call. */
export function callName(model: string, stream: boolean): string {
  return `${model}${stream ? ', streamed' : ''}`;
}

/** Sends to a path exactly as written, with only these headers. */
export function sendTo(
  http: HttpCalls,
  path: string,
  body: JsonObject | string,
  options: Pick<CompatBOptions, 'headers' | 'label'> & { method?: string } = {},
): Promise<Exchange> {
  const { method = 'POST', headers = {}, label = path.split('?', 1)[0] ?? '' } = options;
  return http.send({ method, path, headers, label, ...(method === 'GET' ? {} : { body }) });
}

/** The path of a call, with the model exactly as written. */
export function pathB(model: string, query = '', verb = 'generateContent'): string {
  return `/compat-b/v1beta/models/${model}:${verb}${query === '' ? '' : `?${query}`}`;
}

async function probe({ http, newScene, judge, target }: CheckParts): Promise<boolean> {
  const exchange = await http.compatB(gammaModel(target), newScene().minimalB(), {
    stream: true,
    label: 'whether there are streams',
  });
  // Other answers mean a stream, which the checks judge.
  if (!noStream.includes(exchange.response?.status ?? 0)) return true;
  judgeOpenRefusal(exchange, { requirement: 'COMPB-011', aspect: 'no-stream-clean', statuses: noStream });
  judge.note('compat path B does not stream');
  return false;
}
