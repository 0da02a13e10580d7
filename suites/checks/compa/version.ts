import { defineCheck } from '../../engine/check.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { answered, betaModels, refused, refusesStream } from './message-calls.ts';

/** Values that a deployment may accept or refuse (reading B-94); null omits the header. */
const others = [
  null,
  '',
  '2024-10-22',
  '2023-06-02',
  '2023-6-1',
  '20230601',
  'yesterday',
  '2023-06-01 ',
  '1.0',
];

/** The header as clients write it, with a stream or without. */
const names = [
  ['compat-a-version', true],
  ['Compat-A-Version', false],
] as const;

export const versionHeader = defineCheck({
  id: 'compa.version.header',
  title: 'the reference version header is accepted; others are accepted or refused by name',
  requirements: ['COMPA-009'],
  kind: 'example',
  needs: ['compat.a'],
  run: async ({ newScene, http, rng, cases, judge, target }) => {
    const taken = { requirement: 'COMPA-009', aspect: 'reference-version' };
    for (const model of target.few(betaModels(target))) {
      for (const [name, stream] of target.few(names)) {
        const body = { ...newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const headers = { [name]: '2023-06-01' };
        const exchange = await http.compatA(body, { version: null, headers, label: `${name} on ${model}` });
        if (stream && refusesStream(judge, exchange)) continue;
        answered(cases, exchange, body, taken);
      }
    }
    for (const version of target.few(others, (one) => String(one === null))) {
      const body = newScene().minimalA(rng.pick(betaModels(target)));
      const label = version === null ? 'no version' : `version ${JSON.stringify(version)}`;
      const exchange = await http.compatA(body, { version, label });
      const accepted = isSuccess(exchange);
      if (accepted) answered(cases, exchange, body, { requirement: 'COMPA-009', aspect: 'other-version' });
      else {
        cases.count();
        refused(judge, exchange, {
          requirement: 'COMPA-009',
          aspect: 'other-version',
          codes: ['invalid_param'],
          param: 'compat-a-version',
          paramRule: 'COMPA-009',
        });
      }
      judge.note(`${accepted ? 'takes' : 'refuses'} ${label} (reading B-94)`);
    }
  },
});
