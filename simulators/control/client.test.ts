import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it("imports no code of the simulators into the caller's process", () => {
  const source = readFileSync(new URL('client.ts', import.meta.url), 'utf8');
  const statements = source.match(/^(import|export) [^;]*? from '[^']+'/gm) ?? [];
  const ofRunningCode = statements.filter((statement) => !/^(import|export) type /.test(statement));
  expect(statements.length).toBeGreaterThan(ofRunningCode.length);
  expect(ofRunningCode).toEqual([]);
  expect([...source.matchAll(/import\('(.+)'\)/g)].map(([, name]) => name)).toEqual(['undici']);
});
