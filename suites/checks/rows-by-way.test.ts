import { expect, it } from 'vitest';
import { wayNames, wayOf } from '../engine/way-of.ts';
import { loadRegister } from '../rules/register.ts';
import { allChecks } from './all-checks.ts';
import { matrixOf, rowsByWay } from './rows-by-way.ts';

const everywhere = Object.fromEntries(wayNames.map((way) => [way, 1]));

it('names rows that exist and that a check covers', () => {
  const register = loadRegister();
  const covered = new Set(allChecks.flatMap(({ requirements }) => requirements));
  expect(Object.keys(rowsByWay).filter((row) => !register.has(row) || !covered.has(row))).toEqual([]);
});

it('has no blank reason', () => {
  expect(Object.values(rowsByWay).flatMap((reasons) => Object.values(reasons))).not.toContain('');
});

it('reports an empty cell, unless a reason is given', () => {
  const { images: _, ...others } = everywhere;
  const checks = [{ requirements: ['LIM-003'], verdict: 'pass' as const, evidence: { ways: others } }];
  expect(matrixOf(checks).map(({ row, empty }) => [row, empty])).toEqual([['LIM-003', ['images']]]);
  expect(matrixOf(checks, { 'LIM-003': { images: 'the text leaves it open' } })[0]?.empty).toEqual([]);
});

it('counts only checks that were judged', () => {
  const checks = [
    { requirements: ['LIM-003'], verdict: 'untestable' as const, evidence: {} },
    { requirements: ['LIM-008'], verdict: 'fail' as const, evidence: { ways: everywhere } },
  ];
  expect(matrixOf(checks).map(({ row }) => row)).toEqual(['LIM-008']);
});

it('distinguishes the endpoints', () => {
  const ways = [
    ['/api/v1/chat/completions', { stream: true }],
    ['/api/v1/chat/completions', '{"stream": false}'],
    ['/compat-a/v1/messages', '{"stream": true}'],
    ['/compat-b/v1beta/models/gamma-3-pro:streamGenerateContent?alt=sse&key=k', {}],
    ['/api/v1/tasks', {}],
    ['/api/v1/other', {}],
  ] as const;
  expect(ways.map(([path, body]) => wayOf({ method: 'POST', path, body }))).toEqual([
    'core, stream',
    'core',
    'compat-a, stream',
    'compat-b, stream',
    'tasks',
    null,
  ]);
});
