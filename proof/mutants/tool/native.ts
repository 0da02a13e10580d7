import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { inRequests } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source, upstream } from '../../edits/mutant.ts';
import { candidateParts, eventsOf, fromUpstream, nativeParts, toUpstream } from '../../edits/native-edits.ts';

const answersRead: readonly Mutant[] = [
  upstream(
    [
      'tool.generate-nothing-for-arguments',
      'a call without arguments in a generate-content answer is left out',
      'TOOL-006',
      'all-calls-in-order',
    ],
    fromUpstream(
      'generate-content',
      candidateParts((parts) =>
        parts.filter(({ functionCall: call }) => call === undefined || 'args' in Object(call)),
      ),
    ),
  ),
];

/** Scenes for which a request has reached an upstream. */
const begun = new Set<string>();

const names: readonly Mutant[] = [
  upstream(
    [
      'tool.names-of-second-attempt',
      'the names that a second attempt uses for the tools are not restored',
      'TOOL-005',
      'name-exact-elsewhere',
    ],
    inRequests((body) => {
      const text = JSON.stringify(body);
      const [scene = ''] = /gc[0-9a-f]{12}/.exec(text) ?? [];
      if (begun.has(scene)) Object.assign(body, JSON.parse(text.replaceAll('"name":"', '"name":"x_')));
      begun.add(scene);
    }),
  ),
];

/** Gateways that lose a part of a call, a definition or a result when they translate it. */
export const toolNativeMutants: readonly Mutant[] = [
  ...names,
  source(
    [
      'tool.messages-odd-ids-apart',
      'an id that the upstream would reject is replaced in its call alone',
      'TOOL-014',
      'odd-ids-together',
    ],
    'requests/native-body/messages/turns.ts',
    'answers.push(resultOf(native, results.get(id) ?? []));',
    'answers.push(resultOf(id, results.get(id) ?? []));',
  ),
  upstream(
    [
      'tool.messages-description-cut',
      'descriptions of functions are cut after 1024 characters in a messages request',
      'TOOL-019',
      'definitions-exact',
    ],
    toUpstream('messages', (body) => {
      for (const tool of objectsIn(body.tools))
        if (typeof tool.description === 'string') tool.description = tool.description.slice(0, 1024);
    }),
  ),
  // Beside the cut description: schemas are translated by code of their own.
  source(
    [
      'tool.generate-lists-of-lists',
      'the schema of a list within a list is lost in a generate-content request',
      'TOOL-019',
      'definitions-exact',
    ],
    'requests/native-body/generate-content.ts',
    "argumentsSchema(valueAt(exact, 'tools', i, 'function', 'parameters'))",
    `JSON.parse(JSON.stringify(argumentsSchema(valueAt(exact, 'tools', i, 'function', 'parameters'))), (_, one) =>
      one?.items?.items === undefined ? one : { ...one, items: { ...one.items, items: undefined } },
    )`,
  ),
  upstream(
    [
      'tool.messages-long-fragments-ascii',
      'a long fragment of arguments in a messages stream loses what is not ASCII',
      'TOOL-018',
      'arguments-exact',
    ],
    eventsOf('messages', (event) => {
      const delta = event.delta as Body | undefined;
      const text = delta?.type === 'input_json_delta' ? String(delta.partial_json) : '';
      if (text.length <= 4096) return [event];
      const bare = text.replaceAll(/[^ -~]/g, '?');
      return [{ ...event, delta: { ...delta, partial_json: bare } }];
    }),
  ),
  source(
    [
      'tool.own-tool-shown',
      'the tool by which the gateway asks for JSON is shown as a call if others were called before',
      'TOOL-009',
      'given-tools-alone',
    ],
    'upstreams/messages/content-blocks.ts',
    'if (name === this.#textTool) {',
    'if (name === this.#textTool && this.#calls === 0) {',
  ),
  upstream(
    [
      'tool.generate-long-arguments-lost',
      'long arguments of a call in a generate-content answer are left out',
      'TOOL-011',
      'arguments-exact',
    ],
    fromUpstream('generate-content', (response) => {
      for (const { functionCall } of nativeParts(response, 'functionCall')) {
        const call = functionCall as Body;
        if (JSON.stringify(call.args ?? {}).length > 4096) call.args = {};
      }
    }),
  ),
  ...answersRead,
];
