import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { adminRoutes } from '../endpoints/admin/routes.ts';
import { openApiDocument } from './document.ts';

const source = JSON.stringify(openApiDocument(adminRoutes));
const lint = async (document: string) =>
  lintFromString({ source: document, config: await createConfig({ extends: ['recommended-strict'] }) });

it('has nothing that a strict linter minds', async () => {
  const problems = (await lint(source)).map(
    ({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`,
  );
  expect(problems).toEqual([]);
});

it('is checked by a linter that detects a missing required member', async () => {
  const wrong = source.replace('"required":["model"', '"required":["no_such_member","model"');
  expect(wrong).not.toBe(source);
  expect((await lint(wrong)).map(({ ruleId }) => ruleId)).toContain(
    'no-required-schema-properties-undefined',
  );
});
