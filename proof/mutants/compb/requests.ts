import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { frontB, passesB, refusesB, turnsOf } from '../../edits/compat-b-edits.ts';
import { type Mutant, source } from '../../edits/mutant.ts';
import { configIn } from '../../edits/native-edits.ts';

/** Gateways that guard links only in some places of a body, or treat public hosts as private. */

const harmless = 'https://media.example.com/files/sea.jpg';

/** Replaces the links of some parts by harmless ones, so that the gateway accepts any link. */
function unread(id: string, title: string, partsOf: (body: Body) => readonly Body[]): Mutant {
  return frontB([`compb.${id}`, title, 'COMPB-019', 'private-refused'], {
    request: editRequest((body) => {
      for (const part of partsOf(body)) {
        if (part.fileData !== undefined) (part.fileData as Body).fileUri = harmless;
        if (part.file_data !== undefined) (part.file_data as Body).file_uri = harmless;
      }
    }),
  });
}

const partsIn = (body: Body, role: string): Body[] =>
  turnsOf(body)
    .filter((turn) => turn.role === role)
    .flatMap(({ parts }) => objectsIn(parts));

export const compbLinkMutants: readonly Mutant[] = [
  unread('model-links-free', 'links in turns of the model go on unread', (body) => partsIn(body, 'model')),
  source(
    ['compb.links-of-turns', 'links in the instruction go on unread', 'COMPB-019', 'private-kept'],
    'requests/check-links.ts',
    '  for (const { at, url } of links) {',
    "  for (const { at, url } of links.filter((link) => !link.at.startsWith('systemInstruction'))) {",
  ),
  frontB(
    [
      'compb.digits-refused',
      'a link to a host with digits counts as private',
      'COMPB-019',
      'public-accepted',
    ],
    refusesB((body) => /_?[uU]ri":"https:..[^"/]*\d/.test(JSON.stringify(body))),
  ),
];

/** Gateways that change a compat path B request on its way to the upstream. */

const config: [string, string] = ['COMPB-004', 'config-unchanged'];

export const configs: readonly Mutant[] = [
  passesB('config-known-only', 'unknown members of generationConfig are dropped', config, (body) => {
    for (const name of Object.keys(configIn(body))) if (/^zz|Config$/.test(name)) delete configIn(body)[name];
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

export const tools: readonly Mutant[] = [
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

export const fields: readonly Mutant[] = [
  passesB(
    'system-one-part',
    'of systemInstruction the first part is passed on',
    ['COMPB-001', 'field-kept'],
    (body) => {
      const instruction = body.systemInstruction as Body | undefined;
      if (instruction !== undefined) instruction.parts = objectsIn(instruction.parts).slice(0, 1);
    },
  ),
  passesB(
    'media-mime-lost',
    'every medium is declared as an image',
    ['COMPB-001', 'media-intact'],
    (body) => {
      for (const { inlineData } of turnsOf(body).flatMap((turn) => objectsIn(turn.parts)))
        if (inlineData !== undefined) (inlineData as Body).mimeType = 'image/png';
    },
  ),
  frontB(
    ['compb.pictures-refused', 'images are refused', 'COMPB-001', 'media-accepted'],
    refusesB((body) => JSON.stringify(body).includes('"image/jpeg"'), 'unsupported_capability'),
  ),
  frontB(
    ['compb.films-fail', 'a video causes a failure of the gateway', 'COMPB-001', 'media-clean'],
    refusesB(
      (body, { path }) => path.includes('flash') && JSON.stringify(body).includes('"video/'),
      'internal_error',
    ),
  ),
  source(
    [
      'compb.link-kind-ignored',
      'the kind that a link is declared to be is not looked at',
      'EP-015',
      'link-as-inline',
    ],
    'requests/compat/generate-content/parts.ts',
    'const isTypeKnown = kind !== null && (mime === null || kind === kindOf(mime));',
    'const isTypeKnown = kind !== null; if (mime !== null && kind !== kindOf(mime)) { nativeOnly.add(at); return { kind: "medium", url: String(url) }; }',
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
