import { defineCheck } from '../../engine/check.ts';
import { answered, betaModels, refused, refusesStream } from './message-calls.ts';

/** Values of which a deployment may take any or none (reading B-94); null leaves the header out. */
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

export const versionHeader = defineCheck({
  id: 'compa.version.header',
  title:
    'the version of the reference request is taken on every beta model; another one, or none, is taken or refused by name',
  requirements: ['COMPA-009'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (kit) => {
    const taken = { requirement: 'COMPA-009', aspect: 'reference-version' };
    for (const model of betaModels(kit)) {
      for (const [name, stream] of [
        ['compat-a-version', true],
        ['Compat-A-Version', false],
      ] as const) {
        const body = { ...kit.newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const headers = { [name]: '2023-06-01' };
        const exchange = await kit.http.compatA(body, {
          version: null,
          headers,
          label: `${name} on ${model}`,
        });
        if (stream && refusesStream(kit, exchange)) continue;
        answered(kit, exchange, body, taken);
      }
    }
    for (const version of others) {
      const body = kit.newScene().minimalA(kit.rng.pick(betaModels(kit)));
      const label = version === null ? 'no version' : `version ${JSON.stringify(version)}`;
      const exchange = await kit.http.compatA(body, { version, label });
      const accepted = exchange.response?.status === 200;
      if (accepted) answered(kit, exchange, body, { requirement: 'COMPA-009', aspect: 'other-version' });
      else {
        kit.cases.count();
        refused(kit, exchange, {
          requirement: 'COMPA-009',
          aspect: 'other-version',
          codes: ['invalid_param'],
          param: 'compat-a-version',
          paramRule: 'COMPA-009',
        });
      }
      kit.judge.note(`${accepted ? 'takes' : 'refuses'} ${label} (reading B-94)`);
    }
  },
});
