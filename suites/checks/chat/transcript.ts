import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { bodyOfLegal, type LegalRequest, legalChatRequest } from '../../generators/legal-chat-request.ts';
import { type ForwardedField, forwardedFields, readField, readTurns } from '../../oracle/native-chat.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { judgeAccepted } from './judge-cell.ts';
import { nativeModels, nativeRequest, shown } from './upstream-view.ts';

/** All the fields that must arrive as given, with values that are nobody's default. */
const everyField = {
  temperature: 0.7,
  max_tokens: 512,
  stop: ['###', 'END'],
  seed: 20261121,
  tools: threeTools,
  tool_choice: { type: 'function', function: { name: 'spell' } },
  response_format: { type: 'json_object' },
};

const turnsArrive = defineCheck({
  id: 'chat.transcript.unchanged',
  title: 'every turn reaches the upstream, in its order and with its content unchanged',
  requirements: ['CHAT-010'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (kit) => {
    await kit.forAll(
      legalChatRequest(nativeModels(kit)),
      async (request) => {
        const scene = kit.scene();
        const body = bodyOfLegal(request, scene.prompt());
        const exchange = await kit.chat(body, { label: `${request.history.length} turns before the prompt` });
        judgeAccepted(kit, body, exchange, { requirement: 'CHAT-010', aspect: 'transcript-accepted' });
        const native = await nativeRequest(scene, 'CHAT-010', exchange);
        const [sent, seen] = [readTurns(body), readTurns(native.json)];
        const own = { requirement: 'CHAT-010', exchange, upstream: shown(native) };
        const roles = (turns: typeof sent): string => turns.map((turn) => turn.role).join(', ');
        must(roles(sent) === roles(seen), {
          ...own,
          aspect: 'turn-order',
          expected: roles(sent),
          actual: roles(seen),
        });
        const place = sent.findIndex((turn, index) => !isDeepStrictEqual(turn, seen[index]));
        must(place === -1, {
          ...own,
          aspect: 'turn-content',
          expected: `turn ${place} as sent: ${JSON.stringify(sent[place])}`,
          actual: JSON.stringify(seen[place]) ?? 'no such turn',
        });
      },
      { quick: 20 },
    );
  },
});

const valuesArrive = defineCheck({
  id: 'chat.values.unchanged',
  title:
    'sampling values, stop, tools and response format reach the upstream as given, and nothing is made up',
  requirements: ['CHAT-050', 'CHAT-013', 'CHAT-016'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (kit) => {
    const models = nativeModels(kit);
    const zeros: LegalRequest = {
      model: kit.rng.pick(models),
      history: [],
      options: { temperature: 0, seed: 0 },
    };
    const nothing: LegalRequest = { ...zeros, options: {} };
    const nucleus: LegalRequest = { ...zeros, options: { top_p: 0.35 } };
    const everything: LegalRequest = { ...zeros, options: everyField };
    await kit.forAll(
      legalChatRequest(models),
      async (request) => {
        const scene = kit.scene();
        const body = bodyOfLegal(request, scene.prompt());
        const exchange = await kit.chat(body, {
          label: `with ${Object.keys(request.options).join(', ') || 'nothing'}`,
        });
        judgeAccepted(kit, body, exchange, { requirement: 'CHAT-050', aspect: 'values-accepted' });
        const native = await nativeRequest(scene, 'CHAT-050', exchange);
        for (const name of forwardedFields) {
          const [sent, seen] = [readField(body, name), readField(native.json, name)];
          must(sameValue(name, sent, seen), {
            ...ruleOf(name, body[name]),
            expected:
              body[name] === undefined ? `no ${name}, or its default` : `${name} ${JSON.stringify(sent)}`,
            actual: JSON.stringify(seen),
            exchange,
            upstream: shown(native),
          });
        }
      },
      { quick: 25, examples: [zeros, nothing, nucleus, everything] },
    );
  },
});

export const transcriptChecks: readonly Check[] = [turnsArrive, valuesArrive];

/** A default of the upstream's own for max_tokens is no change, as long as it cannot cut an answer short. */
function sameValue(name: ForwardedField, sent: unknown, seen: unknown): boolean {
  if (name === 'max_tokens' && sent === null) return seen === null || Number(seen) >= 16_000;
  return isDeepStrictEqual(sent, seen);
}

/** The row of the register under which a value that arrives otherwise is a fault. */
function ruleOf(name: ForwardedField, sent: unknown): { requirement: string; aspect: string } {
  if (name === 'temperature' && sent === undefined)
    return { requirement: 'CHAT-013', aspect: 'default-is-one' };
  if (name === 'temperature' && sent === 0) return { requirement: 'CHAT-013', aspect: 'explicit-zero' };
  if (name === 'top_p') {
    return { requirement: 'CHAT-016', aspect: sent === undefined ? 'default-is-one' : 'explicit-value' };
  }
  return { requirement: 'CHAT-050', aspect: `forwards-${name.replaceAll('_', '-')}` };
}
