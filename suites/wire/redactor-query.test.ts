import { expect, it } from 'vitest';
import { compatBRequest } from '../engine/compat-request.ts';
import { profileSchema } from '../profile/profile.ts';
import { loadRegister } from '../rules/register.ts';
import { describeFailure } from '../runner/describe-failure.ts';
import type { JobContext } from '../runner/job-result.ts';
import type { Exchange } from './exchange.ts';
import { createRedactor } from './redactor.ts';

const key = 'sk-app-s3cr/et+1234567890';
const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: key } });
const redact = createRedactor(profile);

function failureOf(path: string): ReturnType<typeof describeFailure> {
  const exchange: Exchange = {
    label: `POST ${path}`,
    request: { method: 'POST', url: `http://127.0.0.1:1${path}`, headers: [], body: Buffer.from('{}') },
    response: null,
    error: `no answer from ${path}`,
    sentAt: 0,
    endedAt: 0,
  };
  const context = {
    check: { id: 'compb.key.query' },
    input: { seed: 1, size: 'quick', replayPrefix: 'npx gatecheck run' },
    register: loadRegister(),
  } as unknown as JobContext;
  const finding = { requirement: 'COMPA-001', aspect: 'served', expected: path, actual: path, exchange };
  return describeFailure(context, finding, null, redact);
}

it('hides a key of the query in every part of a failure, with a placeholder for the shell', () => {
  const failure = failureOf(compatBRequest('gamma-3-pro', {}, { stream: true }, key).path);
  expect(JSON.stringify(failure)).not.toContain('s3cr');
  expect(failure.curl).toContain(
    '"http://127.0.0.1:1/compat-b/v1beta/models/gamma-3-pro:streamGenerateContent?alt=sse&key=$GATECHECK_KEY"',
  );
  expect(failure.exchange?.request.url).toMatch(/key=\$GATECHECK_KEY$/);
});

it('also hides unknown values of a key in a query, because they may be part of a known key', () => {
  const failure = failureOf(
    `/compat-b/v1beta/models/gamma-3-pro:generateContent?key=${key.slice(0, -2)}&x=1`,
  );
  expect(JSON.stringify(failure)).not.toContain('s3cr');
  expect(failure.curl).toContain('?key=$GATECHECK_KEY_OTHER&x=1"');
});

it('leaves a query with an empty key unchanged', () => {
  expect(redact('GET /x?key=&alt=sse')).toBe('GET /x?key=&alt=sse');
});
