import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { broadChatBody } from '../../generators/broad-chat-body.ts';
import { wholeChatBody, wholeKinds } from '../../generators/whole-chat-body.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { wholeFaults } from '../../oracle/native/whole-request.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels, nativeModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';

/** Lengths of the one long text of a request, characters, besides the longest that surely fits the window. */
const lengths = [1, 64, 1_024, 4_096, 16_384];

export const anySizeIsWhole: Check = defineCheck({
  id: 'chat.whole.any-size',
  title: 'a request of any legal size reaches the upstream whole, in its order, with nothing added',
  requirements: ['CHAT-054'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, rng, target } = parts;
    for (const model of cases.full ? nativeModels(target) : familyModels(target))
      await part(async () => {
        const vision = chatModel(model)?.vision === true;
        // Few characters are more than a token, and none has more than eight bytes in a body.
        const { body_bytes: limit = Number.POSITIVE_INFINITY } = target.profile.http;
        const longest = Math.min((chatModel(model)?.contextK ?? 16) * 250, Math.floor(limit / 8));
        for (const stream of [false, true]) {
          for (const kind of wholeKinds) {
            const sizes = cases.full ? [...lengths, longest] : [rng.pick(lengths), longest];
            for (const length of sizes)
              await judgeWhole(parts, `${kind} with ${length} characters`, stream, (prompt) =>
                wholeChatBody(rng, { model, prompt, kind, vision, length }),
              );
          }
          await judgeWhole(parts, 'many of each', stream, (prompt) =>
            broadChatBody(rng, { model, prompt, vision }),
          );
        }
      });
  },
});

async function judgeWhole(
  { cases, newScene, http, judge }: CheckParts,
  what: string,
  stream: boolean,
  bodyOf: (prompt: string) => JsonObject,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const body: JsonObject = { ...bodyOf(scene.prompt()), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `${what} on ${body.model}${stream ? ', stream' : ''}` });
  await part(async () => {
    // Judges acceptance only: the request may allow just one token.
    judgeAccepted(judge, body, exchange, { requirement: 'CHAT-054', aspect: 'accepted-at-any-size' });
    const native = await nativeRequest(scene, 'CHAT-054', exchange);
    for (const { what, expected, actual } of wholeFaults(body, {
      path: native.entry.request.path,
      text: native.text,
    }))
      flag(false, {
        ...{ requirement: 'CHAT-054', aspect: 'whole-at-any-size', member: what },
        expected: `${body.model}, ${what}: ${expected}`,
        actual,
        exchange,
        upstream: shown(native),
      });
  });
}
