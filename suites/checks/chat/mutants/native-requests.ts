import { type Body, front, messagesIn, objectsIn, refuses, upstream } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { configIn, nativeBlocks, nativeParts, toUpstream } from '../../../mutation/native-edits.ts';

/** Gateways that lose or change something of a request when they translate it into the messages or the generate-content dialect. */

const dropFrom =
  (name: string) =>
  (body: Body): void => {
    delete body[name];
  };
const dropFromConfig =
  (name: string) =>
  (body: Body): void => {
    delete configIn(body)[name];
  };

/** By field of the chat request, how it gets lost in each dialect that can say it. */
const messagesFields: Readonly<Record<string, (body: Body) => void>> = {
  temperature: dropFrom('temperature'),
  'max-tokens': (body) => {
    if (Number(body.max_tokens) < 64_000) body.max_tokens = 64_000;
  },
  stop: (body) => {
    if (Array.isArray(body.stop_sequences)) body.stop_sequences = body.stop_sequences.slice(0, 3);
  },
  tools: (body) => {
    if (objectsIn(body.tools).length > 2) body.tools = objectsIn(body.tools).slice(0, 2);
    if ((body.tool_choice as Body | undefined)?.name === 'spell') delete body.tool_choice;
  },
  'tool-choice': dropFrom('tool_choice'),
};
const generateFields: Readonly<Record<string, (body: Body) => void>> = {
  temperature: (body) => {
    if (Number(configIn(body).temperature) > 1) configIn(body).temperature = 1;
  },
  'max-tokens': dropFromConfig('maxOutputTokens'),
  stop: dropFromConfig('stopSequences'),
  seed: dropFromConfig('seed'),
  tools: (body) => {
    delete body.tools;
    delete body.toolConfig;
  },
  'tool-choice': (body) => {
    const config = (body.toolConfig as { functionCallingConfig?: Body } | undefined)?.functionCallingConfig;
    delete config?.allowedFunctionNames;
  },
  'response-format': dropFromConfig('responseMimeType'),
};

const fields: readonly Mutant[] = [
  ...Object.entries(messagesFields).map(([name, edit]) =>
    upstream(
      [
        `chat.messages-drops-${name}`,
        `${name} does not get into a messages request as it was given`,
        'CHAT-050',
        `forwards-${name}`,
      ],
      toUpstream('messages', edit),
    ),
  ),
  ...Object.entries(generateFields).map(([name, edit]) =>
    upstream(
      [
        `chat.generate-drops-${name}`,
        `${name} does not get into a generate-content request as it was given`,
        'CHAT-050',
        `forwards-${name}`,
      ],
      toUpstream('generate-content', edit),
    ),
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
    toUpstream('messages', dropFrom('top_p')),
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

const turns: readonly Mutant[] = [
  upstream(
    [
      'chat.generate-last-turn-only',
      'a generate-content request has the last turn alone',
      'CHAT-010',
      'turn-order',
    ],
    toUpstream('generate-content', (body) => {
      const contents = objectsIn(body.contents);
      if (nativeParts(body, 'functionResponse').length === 0) body.contents = contents.slice(-1);
    }),
  ),
  upstream(
    [
      'chat.messages-trims',
      'texts lose their outer white space in a messages request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('messages', (body) => {
      for (const block of nativeBlocks(body, 'text')) block.text = String(block.text).trim();
    }),
  ),
  upstream(
    [
      'chat.generate-call-text-lost',
      'the text beside a call is not passed on in a generate-content request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('generate-content', (body) => {
      for (const content of objectsIn(body.contents)) {
        const parts = objectsIn(content.parts);
        if (parts.some((part) => 'functionCall' in part))
          content.parts = parts.filter((part) => !('text' in part));
      }
    }),
  ),
  upstream(
    [
      'tool.messages-required-lost',
      'what a function requires is not said in a messages request',
      'TOOL-019',
      'definitions-exact',
    ],
    toUpstream('messages', (body) => {
      for (const tool of objectsIn(body.tools)) delete (tool.input_schema as Body | undefined)?.required;
    }),
  ),
  upstream(
    [
      'tool.generate-description-lost',
      'descriptions of functions are not passed on in a generate-content request',
      'TOOL-019',
      'definitions-exact',
    ],
    toUpstream('generate-content', (body) => {
      for (const tool of objectsIn(body.tools))
        for (const declared of objectsIn(tool.functionDeclarations)) delete declared.description;
    }),
  ),
];

/** Moves the system text of a messages request into its first turn. */
function intoPrompt(body: Body): void {
  const [first] = objectsIn(body.messages);
  const system =
    typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : objectsIn(body.system);
  if (first === undefined || system.length === 0) return;
  const said =
    typeof first.content === 'string' ? [{ type: 'text', text: first.content }] : objectsIn(first.content);
  first.content = [...system, ...said];
}

const system: readonly Mutant[] = [
  upstream(
    ['msg.messages-system-dropped', 'a messages request has no system text', 'MSG-006', 'system-delivered'],
    toUpstream('messages', dropFrom('system')),
  ),
  upstream(
    [
      'msg.messages-system-in-prompt',
      'the system text stands before the prompt in a messages request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('messages', (body) => {
      intoPrompt(body);
      delete body.system;
    }),
  ),
  upstream(
    [
      'msg.messages-system-twice',
      'the system text stands before the prompt too in a messages request',
      'MSG-006',
      'system-alone',
    ],
    toUpstream('messages', intoPrompt),
  ),
  upstream(
    [
      'msg.generate-system-dropped',
      'a generate-content request has no system text',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('generate-content', dropFrom('systemInstruction')),
  ),
  upstream(
    [
      'msg.generate-system-trimmed',
      'the system text is trimmed in a generate-content request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('generate-content', (body) => {
      const { parts } = (body.systemInstruction ?? {}) as Body;
      for (const part of objectsIn(parts)) part.text = String(part.text).trim();
    }),
  ),
  upstream(
    [
      'msg.system-as-user',
      'the system message becomes one of the user in a chat-completions request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('chat-completions', (body) => {
      for (const message of messagesIn(body)) if (message.role === 'system') message.role = 'user';
    }),
  ),
  front(
    ['msg.system-with-tools-refused', 'system text beside tools is refused', 'MSG-006', 'system-accepted'],
    refuses((body) => 'tools' in body && messagesIn(body)[0]?.role === 'system', 'invalid_param', 'messages'),
  ),
];

export const nativeRequestMutants: readonly Mutant[] = [...fields, ...turns, ...system];
