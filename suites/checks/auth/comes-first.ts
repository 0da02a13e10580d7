import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type CoreRoute, chatRoute, imagesRoute, submitRoute } from '../../oracle/core-routes.ts';
import {
  callRoute,
  needRefusedKeyless,
  type RouteCall,
  routesOf,
  servedTwin,
} from '../../steps/routes/call-route.ts';

type Spoilt = Pick<RouteCall, 'label'> & {
  readonly body: JsonObject | string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const authenticationComesFirst = defineCheck({
  id: 'auth.order.first',
  title: 'with a bad key the answer is about the key, whatever else is wrong with the request',
  requirements: ['AUTH-016'],
  kind: 'example',
  needs: ['chat'],
  run: async (parts) => {
    const { keys, rng, cases, judge } = parts;
    const rule = { requirement: 'AUTH-016' };
    const twin = await servedTwin(parts, chatRoute, keys.K1, { ...rule, aspect: 'twin-served' });
    const credentials = [{}, { authorization: `Bearer sk-app-${rng.hex(40)}` }];
    for (const credential of credentials) await needRefusedKeyless(parts, chatRoute, credential);
    for (const { route, aspect, headers, ...spoilt } of parts.target.few(
      spoiltCalls(parts),
      ({ aspect }) => aspect,
    )) {
      for (const credential of credentials) {
        cases.count();
        const refusal = await callRoute(parts, route, { ...spoilt, headers: { ...headers, ...credential } });
        judge.refused(refusal, { ...rule, aspect, codes: ['invalid_api_key'], twin });
      }
    }
  },
});

/** Invalid calls, for each endpoint of the deployment that takes a body. */
function spoiltCalls(parts: CheckParts): readonly (Spoilt & { route: CoreRoute; aspect: string })[] {
  const routes = routesOf(parts.target).filter((route) => route === imagesRoute || route === submitRoute);
  const media = routes.flatMap((route) =>
    spoiltAnywhere.map((spoilt) => ({ route, aspect: 'key-before-media-body', ...spoilt })),
  );
  const chat = spoiltBodies(parts).map((spoilt) => ({
    route: chatRoute,
    aspect: 'key-before-body',
    ...spoilt,
  }));
  return [...chat, ...media];
}

/** Bodies that no endpoint takes. */
const spoiltAnywhere: readonly Spoilt[] = [
  { label: 'malformed JSON', body: '{"model": ' },
  { label: 'an empty body', body: '' },
  { label: 'JSON that is not an object', body: '[1]' },
];

/** Invalid bodies. Authentication must fail before they are read. */
function spoiltBodies({ newScene, target }: CheckParts): readonly Spoilt[] {
  const good = newScene().minimal(target.anyModel());
  return [
    ...spoiltAnywhere,
    {
      label: 'another content type',
      body: 'model=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { label: 'an unknown model', body: { ...good, model: 'no-such-model' } },
    { label: 'no messages', body: { model: good.model } },
    { label: 'temperature 9', body: { ...good, temperature: 9 } },
    { label: 'too many tokens', body: { ...good, max_tokens: 90_000_000 } },
    { label: 'stream true', body: { ...good, stream: true } },
  ];
}
