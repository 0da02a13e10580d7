import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { formOfList, readModelList } from '../../oracle/model-list.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

export const modelListIsRead = defineCheck({
  id: 'ep.models.list',
  title: 'GET /api/v1/models answers 200 JSON that lists each usable model id once',
  requirements: ['EP-010', 'EP-003'],
  kind: 'example',
  anyProtocol: true,
  needs: [],
  run: async (parts) => {
    const { target, judge } = parts;
    const { ids, exchange } = await list(parts);
    judge.note(`the form of the list: ${formOfList(jsonOf(exchange))}`);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    const wrong = (holds: boolean, aspect: string, expected: string, actual: string): void =>
      must(holds, { requirement: 'EP-010', aspect, expected, actual, exchange });
    wrong(twice.length === 0, 'each-once', 'each id once', `more than once: ${twice.join(', ')}`);
    const extra = target.profile.chat.extra_models.map(({ id }) => id);
    const enabled = [...(target.profile.models.enabled ?? target.models), ...extra];
    const lacking = enabled.filter((id) => !ids.includes(id));
    wrong(
      lacking.length === 0,
      'lists-usable',
      `${enabled.join(', ')} in the list`,
      `it lacks ${lacking.join(', ')}`,
    );
  },
});

export const listedModelsWork = defineCheck({
  id: 'ep.models.usable',
  title: 'listed chat models work, and catalogue models not listed are answered 404 model_not_found',
  requirements: ['EP-011', 'ERR-023'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    const { ids, exchange: twin } = await list(parts);
    for (const { id } of target.few(chatCatalogue, (one) => String(ids.includes(one.id)))) {
      cases.count();
      const isListed = ids.includes(id);
      // An invalid field keeps the call of a listed model free. With an unknown model it would be a second fault.
      const body = { ...newScene().minimal(id), ...(isListed ? { temperature: 9 } : {}) };
      const exchange = await http.chat(body, { label: `${id}, ${isListed ? '' : 'not '}listed` });
      const own = { requirement: 'EP-011', aspect: isListed ? 'listed-works' : 'unlisted-unknown' };
      if (isListed)
        judge.known(exchange, { code: 'invalid_param', own, blames: (code) => code === 'model_not_found' });
      else judge.refused(exchange, { ...own, codes: ['model_not_found'], twin });
    }
    const [first] = chatCatalogue.filter(({ id }) => ids.includes(id));
    if (first === undefined) return;
    const served = await http.chat(newScene().minimal(first.id), { label: `${first.id}, listed` });
    judge.completed(served, { requirement: 'EP-011', aspect: 'listed-works', model: first.id });
  },
});

export const listIsTheAccounts = defineCheck({
  id: 'ep.models.per-account',
  title: 'a model not enabled for the account is neither listed nor usable, while the others are',
  requirements: ['EP-012', 'ERR-023'],
  kind: 'example',
  needs: ['keys.no_model'],
  run: async (parts) => {
    const { target, accounts, rng, http, newScene, judge, cases } = parts;
    const missing = target.profile.models.disabled_for_no_model ?? '';
    const key = accounts.key('no_model');
    const rule = { requirement: 'EP-012' };
    const { ids, exchange: listed } = await list(parts, key);
    const expected = `${missing} not in the list of an account without it`;
    const actual = ids.join(', ');
    must(!ids.includes(missing), { ...rule, aspect: 'not-listed', expected, actual, exchange: listed });
    const others = target.models.filter((id) => id !== missing && ids.includes(id));
    must(others.length > 0 || target.models.every((id) => id === missing), {
      ...rule,
      aspect: 'others-listed',
      expected: `other models in the list, such as ${target.models.join(', ')}`,
      actual: ids.join(', ') || 'none',
      exchange: listed,
    });
    for (const model of others.length > 0 ? [rng.pick(others)] : []) {
      const exchange = await http.chat(newScene().minimal(model), { key, label: `${model}, listed` });
      judge.completed(exchange, { ...rule, aspect: 'others-usable', model });
    }
    for (const stream of [false, true]) {
      cases.count();
      const body = { ...newScene().minimal(missing), ...(stream ? { stream } : {}) };
      const exchange = await http.chat(body, { key, label: `${missing}, not enabled` });
      judge.refused(exchange, { ...rule, aspect: 'not-usable', codes: ['model_not_found'], twin: listed });
    }
    if (!target.models.includes(missing)) return;
    const { ids: own, exchange } = await list(parts);
    must(own.includes(missing), {
      ...rule,
      aspect: 'listed-elsewhere',
      expected: `${missing} in the list of the account that has it`,
      actual: own.join(', '),
      exchange,
    });
  },
});

/** Reads the list of models with one key. */
export async function list(
  { keys, http }: Pick<CheckParts, 'keys' | 'http'>,
  key = keys.K1,
): Promise<{ ids: string[]; exchange: Exchange }> {
  const exchange = await http.get('/api/v1/models', { key, label: 'list of models' });
  return { ids: readModelList(exchange), exchange };
}
