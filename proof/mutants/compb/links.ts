import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { frontB, refusesB, turnsOf } from '../../edits/compat-b-edits.ts';
import { type Mutant, source } from '../../edits/mutant.ts';

/** Gateways that guard links in some places of a body only, or take public hosts for private ones. */

const harmless = 'https://media.example.com/files/sea.jpg';

/** Makes the links of some parts harmless, so that the gateway behind takes them whatever they were. */
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
