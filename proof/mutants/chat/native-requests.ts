import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';
import { configIn, toUpstream } from '../../edits/native-edits.ts';

/** Gateways that lose or change a part of a request when they translate it. */

const fields: readonly Mutant[] = [
  upstream(
    [
      'chat.messages-drops-stop',
      'a messages request has the first three stop sequences alone',
      'CHAT-050',
      'forwards-stop',
    ],
    toUpstream('messages', (body) => {
      if (Array.isArray(body.stop_sequences)) body.stop_sequences = body.stop_sequences.slice(0, 3);
    }),
  ),
  upstream(
    [
      'chat.messages-drops-tools',
      'a messages request has the first two tools alone',
      'CHAT-050',
      'forwards-tools',
    ],
    toUpstream('messages', (body) => {
      if (objectsIn(body.tools).length > 2) body.tools = objectsIn(body.tools).slice(0, 2);
      if ((body.tool_choice as Body | undefined)?.name === 'spell') delete body.tool_choice;
    }),
  ),
  upstream(
    [
      'chat.generate-drops-temperature',
      'a generate-content request has a temperature of 1 at most',
      'CHAT-050',
      'forwards-temperature',
    ],
    toUpstream('generate-content', (body) => {
      if (Number(configIn(body).temperature) > 1) configIn(body).temperature = 1;
    }),
  ),
  upstream(
    [
      'chat.generate-drops-tool-choice',
      'a generate-content request does not say which function was chosen',
      'CHAT-050',
      'forwards-tool-choice',
    ],
    toUpstream('generate-content', (body) => {
      const config = (body.toolConfig as { functionCallingConfig?: Body } | undefined)?.functionCallingConfig;
      delete config?.allowedFunctionNames;
    }),
  ),
  upstream(
    [
      'chat.generate-drops-zero',
      'a temperature of 0 counts as missing in a generate-content request',
      'CHAT-013',
      'explicit-zero',
    ],
    toUpstream('generate-content', (body) => {
      if (configIn(body).temperature === 0) delete configIn(body).temperature;
    }),
  ),
  upstream(
    ['chat.messages-drops-top-p', 'a messages request never has top_p', 'CHAT-016', 'explicit-value'],
    toUpstream('messages', (body) => {
      delete body.top_p;
    }),
  ),
  upstream(
    [
      'chat.messages-small-default',
      'without max_tokens a messages request asks for 4096 tokens at most',
      'CHAT-050',
      'forwards-max-tokens',
    ],
    toUpstream('messages', (body) => {
      if (Number(body.max_tokens) >= 64_000) body.max_tokens = 4_096;
    }),
  ),
];
export const nativeRequestMutants: readonly Mutant[] = [...fields];
