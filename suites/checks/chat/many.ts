import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { readField, readTurns } from '../../oracle/native-chat.ts';
import { toolNamed } from '../../oracle/sample-tools.ts';
import { nativeModels, nativeRequest, shown } from './upstream-view.ts';

/** Far more than an example has, far less than any window or any upstream's own bounds. */
const turnsBefore = 150;
const toolCount = 32;

export const manyArrive: Check = defineCheck({
  id: 'chat.transcript.many',
  title: 'a long conversation and a long list of tools reach the upstream whole and in order',
  requirements: ['CHAT-010', 'CHAT-050'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const stream of [false, true]) {
      kit.countCase();
      const scene = kit.scene();
      const model = kit.rng.pick(nativeModels(kit));
      const history = Array.from({ length: turnsBefore }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `Turn ${index} of the talk.`,
      }));
      const tools = Array.from({ length: toolCount }, (_, index) => toolNamed(`tool_${index}`));
      const messages = [...history, { role: 'user', content: scene.prompt() }];
      const body = { model, messages, tools, tool_choice: 'none', ...(stream ? { stream } : {}) };
      const exchange = await kit.chat(body, { label: `${messages.length} messages, ${toolCount} tools` });
      const expected = { requirement: 'CHAT-010', aspect: 'transcript-accepted', model };
      if (stream) kit.streamed(exchange, expected);
      else kit.completed(exchange, expected);
      const native = await nativeRequest(scene, 'CHAT-010', exchange);
      const own = { exchange, upstream: shown(native) };
      const seen = readTurns(native.json);
      must(isDeepStrictEqual(readTurns(body), seen), {
        ...own,
        requirement: 'CHAT-010',
        aspect: 'turn-content',
        expected: `all ${messages.length} turns as sent`,
        actual: `${seen.length} turns, or other ones`,
      });
      must(isDeepStrictEqual(readField(body, 'tools'), readField(native.json, 'tools')), {
        ...own,
        requirement: 'CHAT-050',
        aspect: 'forwards-tools',
        expected: `all ${toolCount} tools as sent`,
        actual: `${(native.json.tools as unknown[] | undefined)?.length ?? 0} tools, or other ones`,
      });
    }
  },
});
