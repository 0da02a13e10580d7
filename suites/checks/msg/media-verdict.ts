import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { CellVerdict } from '../../oracle/cell-verdict.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { isMedium } from '../../oracle/native/same-medium.ts';
import { mediaOf } from '../../oracle/native/view.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { must } from '../../rules/violation.ts';
import { type NativeRequest, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Whether a model accepts video, audio and PDF, by the specification and the profile (reading B-27). */
export function mediaVerdict(target: Target, model: string): CellVerdict {
  const declared = target.profile.chat.media_models;
  if (chatModel(model)?.media === true || declared?.includes(model)) return 'accept';
  return declared === undefined ? 'open' : 'refuse';
}

/** Models that accept these media by the specification. */
export function mediaModels(target: Target): readonly string[] {
  return target.models.filter((id) => chatModel(id)?.media === true);
}

/** A rule with one aspect for acceptance and one for arrival. */
export interface MediaRule {
  readonly requirement: string;
  readonly accepted: string;
  readonly intact: string;
}

/** Sends a medium after some text, and judges the answer and the upstream request. */
export async function judgeMedium(
  { cases, newScene, http, judge, target }: CheckParts,
  model: string,
  address: string,
  rule: MediaRule,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const content = [textBlock(scene.prompt('What is this?')), imageBlock(address)];
  const label = `${address.slice(0, 60)} on ${model}`;
  const exchange = await http.chat({ model, messages: [{ role: 'user', content }] }, { label });
  judge.completed(exchange, { requirement: rule.requirement, aspect: rule.accepted, model });
  if (target.profile.upstream === undefined) return;
  const native = await nativeRequest(scene, rule.requirement, exchange);
  judgeArrival(address, native, exchange, { requirement: rule.requirement, aspect: rule.intact });
}

/** Judges that this medium and no other is in a request at the upstream. */
export function judgeArrival(
  address: string,
  native: NativeRequest,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string },
): void {
  const seen = native.view.turns.flatMap(mediaOf);
  const isIntact = seen.length === 1 && seen[0] !== undefined && isMedium(address, seen[0]);
  const arrival = { ...rule, exchange, upstream: shown(native) };
  const expected = `one medium, as sent: ${short(address)}`;
  const actual = seen
    .map(({ block, url, mime, base64 }) => `${short(url ?? `${mime} ${base64}`)} as ${block}`)
    .join(', ');
  must(isIntact, { ...arrival, expected, actual: actual || 'none' });
}

/** Sends a medium to a model, without judging the answer. */
export function sendMedium(
  { newScene, http }: CheckParts,
  model: string,
  address: string,
): Promise<Exchange> {
  const content = [textBlock(newScene().prompt('What is this?')), imageBlock(address)];
  const label = `${address.slice(0, 60)} on ${model}`;
  return http.chat({ model, messages: [{ role: 'user', content }] }, { label });
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 100)}… (${text.length} characters)` : text;
}
