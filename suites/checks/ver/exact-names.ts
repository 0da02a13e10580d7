import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer } from '../../engine/requests.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { chatRoute } from '../../oracle/core-routes.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { callRoute, judgeServed, servedTwin } from '../../steps/routes/call-route.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Paths that would be a core route under another version, or without a part of the prefix. */
function otherVersions(path: string): string[] {
  const prefixes = ['/api/v2', '/api/v0', '/api/v11', '/api/v1.1', '/api/V1', '/v1', '/api', ''];
  return prefixes.map((prefix) => path.replace('/api/v1', prefix));
}

export const versionIsInThePath = defineCheck({
  id: 'ver.paths.versions',
  title:
    'core routes are under /api/v1 alone: another version or a missing part answers 404 in the error shape',
  requirements: ['VER-001', 'ERR-002'],
  kind: 'example',
  needs: [],
  run: (kit) => judgePaths(kit, otherVersions, { requirement: 'VER-001', aspect: 'other-version' }),
});

/** Paths that differ from a core route in case alone. */
function otherCases(path: string): string[] {
  return [
    path.toUpperCase(),
    path.replace('/api', '/API'),
    path.replace(/\/(\w+)$/, (last) => last.toUpperCase()),
    path.replace('/m', '/M').replace('/ch', '/Ch').replace('/im', '/Im').replace('/t', '/T'),
  ];
}

export const pathsAreExact = defineCheck({
  id: 'ver.paths.exact',
  title: 'a path matches in its exact spelling only, case included',
  requirements: ['VER-007'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    await judgePaths(kit, otherCases, { requirement: 'VER-007', aspect: 'path-case' });
    // Variants that proxies like to tidy up: served or refused, but cleanly.
    for (const path of [
      `${chatRoute.path}/`,
      chatRoute.path.replace('/chat', '//chat'),
      `${chatRoute.path}?x=1`,
    ]) {
      kit.cases.count();
      const exchange = await at(kit, path);
      const isServed = exchange.response?.status === 200;
      const rule = { requirement: 'VER-007', aspect: 'variant-clean' };
      if (isServed) judgeServed(kit, chatRoute, exchange, { ...rule, model: kit.target.models[0] ?? '' });
      else judgeOpenRefusal(exchange, { ...rule, statuses: [404, 400, 405] });
      kit.judge.note(`${isServed ? 'serves' : 'refuses'} ${path.replace(chatRoute.path, '…')}`);
    }
  },
});

async function judgePaths(
  kit: CheckParts,
  variants: (path: string) => string[],
  rule: { requirement: string; aspect: string },
): Promise<void> {
  for (const route of routesOf(kit)) {
    const twin = await servedTwin(kit, route, kit.keys.K1, { ...rule, aspect: 'twin-served' });
    for (const path of variants(route.path)) {
      kit.cases.count();
      const call = { headers: bearer(kit.keys.K1), label: path };
      const exchange = await callRoute(kit, { ...route, path }, call);
      judgeOpenRefusal(exchange, { ...rule, statuses: [404], twin });
    }
  }
}

function at(kit: CheckParts, path: string): Promise<Exchange> {
  const body = kit.newScene().minimal(kit.target.models[0] ?? '');
  return callRoute(kit, { ...chatRoute, path }, { headers: bearer(kit.keys.K1), label: path, body });
}

/** Ids that a model could be known by if its version were not part of its id. */
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

export const modelVersionsBelongToTheId = defineCheck({
  id: 'ver.models.versions',
  title:
    'the version in a model id belongs to the id: without it, or with another, the answer is 404 model_not_found',
  requirements: ['VER-005'],
  kind: 'example',
  needs: [],
  run: (kit) => judgeModels(kit, otherNames, { requirement: 'VER-005', aspect: 'other-model-version' }),
});

export const modelIdsAreExact = defineCheck({
  id: 'ver.models.exact',
  title: 'a model id matches in its exact spelling only, case included',
  requirements: ['VER-007'],
  kind: 'example',
  needs: [],
  run: (kit) =>
    judgeModels(kit, (id) => [id.toUpperCase(), `${id[0]?.toUpperCase()}${id.slice(1)}`], {
      requirement: 'VER-007',
      aspect: 'model-case',
    }),
});

async function judgeModels(
  kit: CheckParts,
  variants: (id: string) => string[],
  rule: { requirement: string; aspect: string },
): Promise<void> {
  const known = new Set(chatCatalogue.map(({ id }) => id));
  for (const id of kit.target.models) {
    const twin = await kit.http.chat(
      { ...kit.newScene().minimal(id), temperature: 9 },
      { label: `${id}, temperature 9` },
    );
    kit.judge.refused(twin, { ...rule, aspect: 'known-id', codes: ['invalid_param'], param: 'temperature' });
    for (const name of new Set(variants(id).filter((variant) => variant !== '' && !known.has(variant)))) {
      kit.cases.count();
      const exchange = await kit.http.chat(kit.newScene().minimal(name), { label: `model ${name}` });
      kit.judge.refused(exchange, { ...rule, codes: ['model_not_found'], twin });
    }
  }
}
