import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { functionsIn, inRequests, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Gateways that are wrong about tool definitions. */

const toolsIn = (body: Body): Body[] => objectsIn(body.tools);

const refusesFunction = (when: (described: Body) => boolean) =>
  refuses((body) => functionsIn(body).some(when), 'invalid_param', 'tools');
const failsFunction = (when: (described: Body) => boolean) =>
  refuses((body) => functionsIn(body).some(when), 'upstream_error');
const mends = (mend: (described: Body) => void) =>
  inRequests((body) => {
    for (const described of functionsIn(body)) mend(described);
  });

export const definitions: readonly Mutant[] = [
  front(
    ['tool.function-refused', 'tools of type function are refused', 'TOOL-001', 'function-accepted'],
    refuses((body) => 'tools' in body, 'invalid_param', 'tools'),
  ),
  front(
    ['tool.any-type', 'a tool of any type counts as a function', 'TOOL-001', 'type-is-function'],
    inRequests((body) => {
      for (const tool of toolsIn(body)) tool.type = 'function';
    }),
  ),
  front(
    ['tool.long-name-refused', 'names of 64 characters are refused', 'TOOL-002', 'names-accepted'],
    refusesFunction((described) => String(described.name).length === 64),
  ),
  front(
    ['tool.function-optional', 'tools without a function are left out', 'TOOL-002', 'function-required'],
    inRequests((body) => {
      if (toolsIn(body).some((tool) => objectsIn([tool.function]).length === 0)) delete body.tools;
    }),
  ),
  front(
    ['tool.name-default', 'a function without a name gets one', 'TOOL-002', 'name-required'],
    mends((described) => {
      if (typeof described.name !== 'string' || described.name === '') described.name = 'function_1';
    }),
  ),
  front(
    [
      'tool.odd-name-fails',
      'a name with a space ends as a failure of the upstream',
      'TOOL-002',
      'clean-either-way',
    ],
    failsFunction((described) => /\s/.test(String(described.name))),
  ),
  front(
    ['tool.description-ascii', 'descriptions have to be ASCII', 'TOOL-003', 'string-accepted'],
    refusesFunction((described) => /[^\t-~]/.test(String(described.description))),
  ),
  front(
    [
      'tool.description-any',
      'a description of another type becomes a string',
      'TOOL-003',
      'description-type',
    ],
    mends((described) => {
      described.description = JSON.stringify(described.description ?? '');
    }),
  ),
  front(
    [
      'tool.no-description-fails',
      'a missing description ends as a failure of the upstream',
      'TOOL-003',
      'clean-either-way',
    ],
    failsFunction((described) => !('description' in described)),
  ),
  front(
    ['tool.ref-refused', 'schemas with $ref are refused', 'TOOL-004', 'schema-accepted'],
    refusesFunction((described) => JSON.stringify(described.parameters ?? {}).includes('$ref')),
  ),
  front(
    ['tool.parameters-any', 'parameters of another type count as none', 'TOOL-004', 'parameters-type'],
    mends((described) => {
      if (objectsIn([described.parameters]).length === 0)
        described.parameters = { type: 'object', properties: {} };
    }),
  ),
  front(
    [
      'tool.no-parameters-fail',
      'missing parameters end as a failure of the upstream',
      'TOOL-004',
      'clean-either-way',
    ],
    failsFunction((described) => !('parameters' in described)),
  ),
  upstream(
    ['tool.second-uncounted', 'tools after the first do not count', 'TOOL-020', 'tool-raises-prompt-tokens'],
    inRequests((body) => {
      if (Array.isArray(body.tools)) body.tools = body.tools.slice(0, 1);
    }),
  ),
];

/** Tools are rejected, which every check that needs tools has to detect. */
export const refused: readonly Mutant[] = (
  [
    ['TOOL-005', 'names-accepted'],
    ...['TOOL-006', 'TOOL-007', 'TOOL-009', 'TOOL-010', 'TOOL-011', 'TOOL-012', 'TOOL-019', 'TOOL-020'].map(
      (id) => [id, 'tools-accepted'] as const,
    ),
  ] as const
).map(([requirement, aspect]) =>
  front(
    [
      `tool.refused-${requirement.slice(-3)}`,
      'tools are a capability that no model has',
      requirement,
      aspect,
    ],
    refuses((body) => 'tools' in body, 'unsupported_capability'),
  ),
);
