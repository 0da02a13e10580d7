import { frontB, passesB, refusesB, turnsOf } from '../../../mutation/compb-edits.ts';
import { type Body, objectsIn } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { editRequest } from '../../../mutation/mutation.ts';
import { configIn } from '../../../mutation/native-edits.ts';

/** Gateways that do not pass on what compat path B says as it was said. */

const config: [string, string] = ['COMPB-004', 'config-unchanged'];
const known = ['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'seed', 'responseMimeType'];

const configs: readonly Mutant[] = [
  passesB('config-known-only', 'unknown members of generationConfig are dropped', config, (body) => {
    for (const name of Object.keys(configIn(body))) if (/^zz|Config$/.test(name)) delete configIn(body)[name];
  }),
  passesB(
    'config-common-only',
    'what the core path has no word for is dropped from generationConfig',
    config,
    (body) => {
      for (const name of Object.keys(configIn(body))) if (!known.includes(name)) delete configIn(body)[name];
    },
  ),
  passesB('config-nested-dropped', 'objects within generationConfig are dropped', config, (body) => {
    for (const [name, value] of Object.entries(configIn(body)))
      if (value !== null && typeof value === 'object' && !Array.isArray(value)) delete configIn(body)[name];
  }),
  passesB('config-nulls-dropped', 'nulls within generationConfig are dropped', config, (body) => {
    body.generationConfig = withoutNulls(body.generationConfig);
  }),
  passesB('config-zero-dropped', 'a zero in generationConfig counts as missing', config, (body) => {
    for (const [name, value] of Object.entries(configIn(body))) if (value === 0) delete configIn(body)[name];
  }),
  passesB('config-default', 'generationConfig gets a temperature of the gateway', config, (body) => {
    if (body.generationConfig !== undefined) configIn(body).temperature ??= 1;
  }),
  passesB('config-stops-trimmed', 'stop sequences lose the white space at their ends', config, (body) => {
    const { stopSequences: stops } = configIn(body);
    if (Array.isArray(stops)) configIn(body).stopSequences = stops.map((text) => String(text).trim());
  }),
  passesB('config-dropped', 'an empty generationConfig is not passed on', config, (body) => {
    if (Object.keys(configIn(body)).length === 0) delete body.generationConfig;
  }),
  frontB(['compb.config-rounded', 'numbers of a body go through a double', ...config], {
    request: editRequest(() => undefined),
  }),
  frontB(
    [
      'compb.config-strict',
      'unknown members of generationConfig are refused',
      'COMPB-004',
      'config-accepted',
    ],
    refusesB((body) => Object.keys(configIn(body)).some((name) => name.startsWith('zz'))),
  ),
];

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object' || 'rawJSON' in value) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

const tools: readonly Mutant[] = [
  passesB(
    'tools-functions-only',
    'tools that are no functions are dropped',
    ['COMPB-005', 'tools-unchanged'],
    (body) => {
      if (body.tools !== undefined)
        body.tools = objectsIn(body.tools).filter((tool) => 'functionDeclarations' in tool);
    },
  ),
  passesB(
    'tools-one-list',
    'the functions of several tools are put into one',
    ['COMPB-005', 'tools-unchanged'],
    (body) => {
      const declared = objectsIn(body.tools).flatMap((tool) => objectsIn(tool.functionDeclarations));
      if (declared.length > 0) body.tools = [{ functionDeclarations: declared }];
    },
  ),
  passesB(
    'tools-types-lowered',
    'types of parameters are written in small letters',
    ['COMPB-005', 'tools-unchanged'],
    (body) => {
      for (const { parameters } of declarations(body)) {
        const schema = parameters as Body | undefined;
        if (typeof schema?.type === 'string') schema.type = schema.type.toLowerCase();
      }
    },
  ),
  passesB(
    'tools-description-trimmed',
    'descriptions of functions are trimmed',
    ['COMPB-005', 'tools-unchanged'],
    (body) => {
      for (const one of declarations(body))
        if (typeof one.description === 'string') one.description = one.description.trim();
    },
  ),
  passesB(
    'tool-config-dropped',
    'toolConfig is not passed on',
    ['COMPB-005', 'tool-config-unchanged'],
    (body) => {
      delete body.toolConfig;
    },
  ),
  frontB(
    ['compb.tools-strict', 'tools that are no functions are refused', 'COMPB-005', 'tools-accepted'],
    refusesB((body) => objectsIn(body.tools).some((tool) => !('functionDeclarations' in tool))),
  ),
];

function declarations(body: Body): Body[] {
  return objectsIn(body.tools).flatMap((tool) => objectsIn(tool.functionDeclarations));
}

const fields: readonly Mutant[] = [
  passesB('system-dropped', 'systemInstruction is not passed on', ['COMPB-001', 'field-kept'], (body) => {
    delete body.systemInstruction;
  }),
  passesB(
    'system-one-part',
    'of systemInstruction the first part is passed on',
    ['COMPB-001', 'field-kept'],
    (body) => {
      const instruction = body.systemInstruction as Body | undefined;
      if (instruction !== undefined) instruction.parts = objectsIn(instruction.parts).slice(0, 1);
    },
  ),
  passesB('safety-dropped', 'safetySettings are not passed on', ['COMPB-001', 'field-kept'], (body) => {
    delete body.safetySettings;
  }),
  passesB('media-mime-lost', 'every medium is called a picture', ['COMPB-001', 'media-intact'], (body) => {
    for (const { inlineData } of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
      if (inlineData !== undefined) (inlineData as Body).mimeType = 'image/png';
  }),
  passesB('media-cut', 'the last byte of a medium is lost', ['COMPB-001', 'media-intact'], (body) => {
    for (const { inlineData } of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
      if (inlineData !== undefined)
        (inlineData as Body).data = String((inlineData as Body).data).replace(/.{4}$/, '');
  }),
  frontB(
    ['compb.pictures-refused', 'pictures are refused', 'COMPB-001', 'media-accepted'],
    refusesB((body) => JSON.stringify(body).includes('"image/jpeg"'), 'unsupported_capability'),
  ),
  frontB(
    ['compb.films-fail', 'a film is a failure of the gateway', 'COMPB-001', 'media-clean'],
    refusesB(
      (body, { path }) => path.includes('flash') && JSON.stringify(body).includes('"video/'),
      'internal_error',
    ),
  ),
  frontB(
    ['compb.system-fails', 'systemInstruction is refused as unknown model', 'COMPB-001', 'field-accepted'],
    refusesB((body) => 'systemInstruction' in body, 'model_not_found'),
  ),
  frontB(
    ['compb.unknown-fails', 'an unknown member is a failure of the gateway', 'COMPB-001', 'unknown-clean'],
    refusesB((body) => Object.keys(body).some((name) => name.startsWith('zz')), 'internal_error'),
  ),
];

export const compbRequestMutants: readonly Mutant[] = [...configs, ...tools, ...fields];
