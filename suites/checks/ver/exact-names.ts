import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer } from '../../engine/requests.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { chatRoute } from '../../oracle/core-routes.ts';
import { judgeOtherPath } from '../../oracle/other-path.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { callRoute, judgeServed, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import { type Exchange, header, isSuccess } from '../../wire/exchange.ts';

export const versionIsInThePath = defineCheck({
  id: 'ver.paths.versions',
  title: 'core routes are under /api/v1 only; other versions or missing parts are answered 404',
  requirements: ['VER-001', 'ERR-002'],
  kind: 'example',
  needs: [],
  run: (parts) => judgePaths(parts, otherVersions, { requirement: 'VER-001', aspect: 'other-version' }),
});

export const pathsAreExact = defineCheck({
  id: 'ver.paths.exact',
  title: 'a path matches in its exact spelling only, case included',
  requirements: ['VER-007'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, target, judge } = parts;
    await judgePaths(parts, otherCases, { requirement: 'VER-007', aspect: 'path-case' });
    // Variants that proxies may normalise: served or refused, but cleanly.
    const { path: chat } = chatRoute;
    for (const path of [`${chat}/`, chat.replace('/chat', '//chat'), `${chat}?x=1`]) {
      cases.count();
      const exchange = await at(parts, path);
      const isServed = isSuccess(exchange);
      const status = exchange.response?.status ?? 0;
      // A server may name the exact path: that is no failure, so it has no error object.
      const aim = URL.parse(header(exchange, 'location') ?? '', exchange.request.url);
      if ((status === 307 || status === 308) && aim?.pathname.endsWith(chat) === true) {
        judge.note(`redirects ${path.replace(chat, '…')}`);
        continue;
      }
      const rule = { requirement: 'VER-007', aspect: 'variant-clean' };
      if (isServed) judgeServed(parts, chatRoute, exchange, { ...rule, model: target.models[0] ?? '' });
      else judgeOpenRefusal(exchange, { ...rule, statuses: [404, 400, 405] });
      judge.note(`${isServed ? 'serves' : 'refuses'} ${path.replace(chat, '…')}`);
    }
  },
});

export const modelVersionsBelongToTheId = defineCheck({
  id: 'ver.models.versions',
  title: 'a model id without its version, or with another, is answered 404 model_not_found',
  requirements: ['VER-005'],
  kind: 'example',
  needs: [],
  run: (parts) => judgeModels(parts, otherNames, { requirement: 'VER-005', aspect: 'other-model-version' }),
});

export const modelIdsAreExact = defineCheck({
  id: 'ver.models.exact',
  title: 'a model id matches in its exact spelling only, case included',
  requirements: ['VER-007'],
  kind: 'example',
  needs: [],
  run: (parts) => judgeModels(parts, otherIdCases, { requirement: 'VER-007', aspect: 'model-case' }),
});

/** Paths that would be a core route under another version, or without a part of the prefix. */
function otherVersions(path: string): string[] {
  const prefixes = ['/api/v2', '/api/v0', '/api/v11', '/api/v1.1', '/api/V1', '/v1', '/api', ''];
  return prefixes.map((prefix) => path.replace('/api/v1', prefix));
}

/** Paths that differ from a core route only in case. */
function otherCases(path: string): string[] {
  return [
    path.toUpperCase(),
    path.replace('/api', '/API'),
    path.replace(/\/(\w+)$/, (last) => last.toUpperCase()),
    path.replace('/m', '/M').replace('/ch', '/Ch').replace('/im', '/Im').replace('/t', '/T'),
  ];
}

async function judgePaths(
  parts: CheckParts,
  variants: (path: string) => string[],
  rule: { requirement: string; aspect: string },
): Promise<void> {
  const { keys, cases, target } = parts;
  for (const route of target.few(routesOf(target))) {
    const twin = await servedTwin(parts, route, keys.K1, { ...rule, aspect: 'twin-served' });
    for (const path of target.few(variants(route.path))) {
      cases.count();
      const call = { headers: bearer(keys.K1), label: path };
      const exchange = await callRoute(parts, { ...route, path }, call);
      judgeOtherPath(exchange, path, { ...rule, twin });
    }
  }
}

function at(parts: CheckParts, path: string): Promise<Exchange> {
  const { newScene, target, keys } = parts;
  const body = newScene().minimal(target.models[0] ?? '');
  return callRoute(parts, { ...chatRoute, path }, { headers: bearer(keys.K1), label: path, body });
}

/** Ids that differ from a model's id only in case. */
function otherIdCases(id: string): string[] {
  return [id.toUpperCase(), `${id[0]?.toUpperCase()}${id.slice(1)}`];
}

/** A model's id without its version, or with another one. */
function otherNames(id: string): string[] {
  const parts = id.split('-');
  const last = parts.at(-1) ?? '';
  const raised = id.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 5));
  return [
    parts.slice(0, -1).join('-'),
    `${id}-0`,
    `${id}-latest`,
    `${id}-2026-01-01`,
    `${id}.1`,
    raised,
    id.replace(/-\d+/, ''),
    `${id}-${last}`,
    `v${id}`,
  ];
}

async function judgeModels(
  { target, http, newScene, judge, cases, rng }: CheckParts,
  variants: (id: string) => string[],
  rule: { requirement: string; aspect: string },
): Promise<void> {
  const nobody = (): boolean => false;
  const unknown = await http.chat(newScene().minimal(`zz-${rng.hex(12)}`), { label: 'no such model' });
  judge.known(unknown, { code: 'model_not_found', own: rule, blames: nobody });
  const known = new Set(chatCatalogue.map(({ id }) => id));
  for (const id of target.eachModel) {
    const body = { ...newScene().minimal(id), temperature: 9 };
    const twin = await http.chat(body, { label: `${id}, temperature 9` });
    judge.known(twin, {
      own: { ...rule, aspect: 'known-id' },
      blames: (code) => code === 'model_not_found',
      ...{ code: 'invalid_param', param: 'temperature' },
    });
    const names = [...new Set(variants(id))].filter((variant) => variant !== '' && !known.has(variant));
    for (const name of target.few(names)) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(name), { label: `model ${name}` });
      judge.refused(exchange, { ...rule, codes: ['model_not_found'], twin });
    }
  }
}
