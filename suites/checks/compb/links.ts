import { defineCheck } from '../../engine/check.ts';
import { type GuardedPlace, judgeGuardedPlaces } from '../../steps/fields/guarded-places.ts';
import { gammaModel } from './served.ts';

const requirement = 'COMPB-019';

const linked = (fileUri: string): object => ({ fileData: { mimeType: 'image/jpeg', fileUri } });
const said = (text: string, ...more: object[]): object => ({ role: 'user', parts: [{ text }, ...more] });

/** Where parts of the generate-content protocol may hold a link. */
const places: readonly GuardedPlace[] = [
  {
    name: 'in a turn of the user',
    bodyWith: (prompt, url) => ({ contents: [said(prompt, linked(url))] }),
  },
  {
    name: 'in the other spelling',
    bodyWith: (prompt, url) => ({
      contents: [said(prompt, { file_data: { mime_type: 'image/jpeg', file_uri: url } })],
    }),
  },
  {
    name: 'in a turn of the model',
    bodyWith: (prompt, url) => ({
      contents: [
        said('Draw the sea.'),
        { role: 'model', parts: [{ text: 'Here.' }, linked(url)] },
        said(prompt),
      ],
    }),
  },
  {
    name: 'in the instruction',
    bodyWith: (prompt, url) => ({ systemInstruction: { parts: [linked(url)] }, contents: [said(prompt)] }),
  },
  {
    name: 'in a response',
    bodyWith: (prompt, url) => ({
      contents: [
        said(prompt),
        { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { url: 'https://10.0.0.1/' } } }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'look_up', response: { result: 'Seen.' }, parts: [linked(url)] } },
          ],
        },
      ],
    }),
  },
];

export const linksAreGuarded = defineCheck({
  id: 'compb.links.private',
  title: 'a link to a private address is refused in every place of a native body, in any spelling',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b', 'media.guards'],
  run: async (parts) => {
    const model = gammaModel(parts.target);
    await judgeGuardedPlaces(parts, {
      requirement,
      places,
      send: (body, label) => parts.http.compatB(model, body, { label }),
    });
  },
});
