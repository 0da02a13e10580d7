import { defineCheck } from '../../engine/check.ts';
import { lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { type GuardedPlace, judgeGuardedPlaces } from '../../steps/fields/guarded-places.ts';
import { seeingModel } from './message-calls.ts';

const requirement = 'COMPA-022';

const linked = (url: string): object => ({ type: 'image', source: { type: 'url', url } });
const said = (prompt: string): object => ({ role: 'user', content: prompt });

/** Where blocks of the messages protocol may hold a link. */
const places: readonly GuardedPlace[] = [
  {
    name: 'in a turn of the user',
    bodyWith: (prompt, url) => ({
      messages: [{ role: 'user', content: [linked(url), { type: 'text', text: prompt }] }],
    }),
  },
  {
    name: 'in a turn of the assistant',
    bodyWith: (prompt, url) => ({
      messages: [
        said('Draw the sea.'),
        { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, linked(url)] },
        said(prompt),
      ],
    }),
  },
  {
    name: 'in a result',
    bodyWith: (prompt, url) => ({
      tools: [lookUp],
      messages: [
        said(prompt),
        { role: 'assistant', content: [use('call_1', '{"url":"https://10.0.0.1/"}')] },
        { role: 'user', content: [result('call_1', { content: [linked(url)] })] },
      ],
    }),
  },
  {
    name: 'in the content of a document',
    bodyWith: (prompt, url) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'content', content: [linked(url)] } },
            { type: 'text', text: prompt },
          ],
        },
      ],
    }),
  },
];

export const linksAreGuarded = defineCheck({
  id: 'compa.links.private',
  title: 'a link to a private address is refused in every place of a native body, in any spelling',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.a', 'media.guards'],
  run: async (parts) => {
    const model = seeingModel(parts.target);
    await judgeGuardedPlaces(parts, {
      requirement,
      places,
      send: (body, label) => parts.http.compatA({ model, max_tokens: 256, ...body }, { label }),
    });
  },
});
