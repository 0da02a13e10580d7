import { defineCheck } from '../../engine/check.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';

/** Answers in no dialect's form, as proxies and crashed servers give them. */
const junk: readonly { status: number; contentType: string; body: (canary: string) => string }[] = [
  {
    status: 418,
    contentType: 'text/html',
    body: (canary) => `<html><title>418</title><h1>${canary}</h1></html>`,
  },
  { status: 418, contentType: 'application/json', body: (canary) => `{"error":"${canary}"` },
  {
    status: 451,
    contentType: 'application/json',
    body: (canary) => `{"error":{"message":"${canary}","type":"x","code":"${canary}"}}`,
  },
  { status: 418, contentType: 'application/octet-stream', body: (canary) => `\u0000\u0001${canary}` },
  { status: 418, contentType: 'text/plain', body: () => '' },
];

export const junkIsUpstreamError = defineCheck({
  id: 'route.unclassifiable.upstream-error',
  title: 'an unclassifiable upstream error gives 502 upstream_error after one try, without its text',
  requirements: ['ROUTE-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, target, http, newScene, judge, rng }) => {
    for (const [place, { status, contentType, body }] of junk.entries()) {
      cases.count();
      const model = target.anyModel();
      const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
      judge.completed(twin, { ...plainAccepted, model });
      const scene = newScene();
      const canary = `canary-${rng.hex(12)}`;
      await scene.script({
        status,
        headers: { 'content-type': contentType, 'x-upstream-detail': canary },
        body: body(canary),
      });
      const stream = place % 2 === 1;
      const request = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
      const label = `upstream ${status} ${contentType}${stream ? ', stream' : ''}`;
      const exchange = await http.chat(request, { label });
      judge.refused(exchange, {
        requirement: 'ROUTE-008',
        aspect: 'unclassifiable-code',
        codes: ['upstream_error'],
        param: null,
        twin,
      });
      const attempts = (await scene.requestsNow()).length;
      must(attempts === 1, {
        requirement: 'ROUTE-008',
        aspect: 'one-attempt',
        expected: 'one request at the upstream',
        actual: `${attempts}`,
        exchange,
        twin,
      });
      const head = JSON.stringify(exchange.response?.headers ?? []);
      must(!head.includes(canary) && !exchange.response?.body.includes(canary), {
        requirement: 'ERR-009',
        aspect: 'no-raw-text',
        expected: "none of the upstream's own words",
        actual: `the answer holds ${canary}`,
        exchange,
        twin,
      });
    }
  },
});
