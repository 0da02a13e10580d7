import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allChecks } from '../../../suites/checks/all-checks.ts';
import { ProofStack } from '../../kill-matrix/proof-stack.ts';
import type { SourceMutant } from '../source-mutant.ts';
import { findReach } from './find-reach.ts';
import type { Reach } from './reach.ts';

/** One check that makes images, and one that does not. */
const ids = ['img.n.honoured', 'chat.model.unknown'];

/** Code positions of the gateway by their text. */
const places = {
  pictures: placeOf('gateway/endpoints/images/images.ts', 'maxCost(service'),
  refusal: placeOf('gateway/requests/find-model.ts', "throw new GatewayError('model_not_found'"),
  nobody: placeOf('gateway/endpoints/admin/credit-routes.ts', 'await '),
  start: placeOf('gateway/endpoints/models.ts', '1_767_225_600'),
};
let stack: ProofStack;
let reach: Reach;

function placeOf(file: string, part: string): SourceMutant {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const offset = text.indexOf(part);
  if (offset < 0) throw new Error(`${file} has no ${part}`);
  return { id: `${file} ${part}`, operator: '', file, line: 0, offset, find: part, replace: '' };
}

beforeAll(async () => {
  stack = await ProofStack.start({
    seed: 1,
    mutants: [],
    variants: [],
    limits: { upstream: 0, source: 4 },
  });
  reach = await findReach(stack, {
    mutants: Object.values(places),
    checks: allChecks.filter(({ id }) => ids.includes(id)),
    seed: 1,
    signal: new AbortController().signal,
    onJob: ({ id, verdict }) => expect(verdict, id).toBe('pass'),
  });
}, 240_000);

afterAll(() => stack.stop());

it('finds the checks that run a place of the gateway', () => {
  expect(reach.mutants).toEqual({
    [places.pictures.id]: ['img.n.honoured'],
    [places.refusal.id]: ['chat.model.unknown'],
    [places.nobody.id]: [],
    [places.start.id]: 'all',
  });
});

it('finds the checks that run any code of a file', () => {
  expect(reach.files['gateway/endpoints/images/images.ts']).toEqual(['img.n.honoured']);
  expect(reach.files['gateway/endpoints/chat/chat.ts']).toEqual(['chat.model.unknown']);
});
