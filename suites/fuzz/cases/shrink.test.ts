import { expect, it } from 'vitest';
import { parseJson } from '../../values/json.ts';
import { RawBytes } from '../grammar/raw-json.ts';
import { everySubject } from '../testing/served.ts';
import { type FuzzCase, withTree } from './fuzz-case.ts';
import { shrink } from './shrink.ts';

const subject = everySubject.find(({ endpoint }) => endpoint === 'chat');
if (subject === undefined) throw new Error('there is no chat');

function caseOf(tree: unknown, places: FuzzCase['places'] = []): FuzzCase {
  const request = subject?.request(Buffer.alloc(0), false);
  if (subject === undefined || request === undefined) throw new Error('there is no chat');
  const cells = [{ endpoint: 'chat', field: 'tools', kind: 'deep' }] as const;
  const facts = { isNamed: false, isPrivateLink: false, isLeast: false, certainty: 'open' } as const;
  return withTree(
    { index: 0, subject, cells, tree, request, stream: false, sound: null, places, ...facts },
    tree,
  );
}

const large = {
  model: 'm',
  messages: Array.from({ length: 20 }, (_, at) => ({
    role: 'user',
    content: `turn ${at} ${'x'.repeat(500)}`,
  })),
  tools: [{ type: 'function', function: { name: 'f', parameters: { bad: 'ouch' } } }],
  metadata: { a: 'b', c: 'd' },
};

it('removes everything that the finding does not need', async () => {
  const small = await shrink(caseOf(large), ({ request }) => Promise.resolve(request.body.includes('ouch')));
  expect(parseJson(String(small.request.body))).toEqual({
    tools: [{ function: { parameters: { bad: 'ouch' } } }],
  });
});

it('shortens texts, lists and nesting as far as the finding remains', async () => {
  const deep = new RawBytes('['.repeat(1_024) + ']'.repeat(1_024), 'list');
  const tree = { a: 'x'.repeat(4_096), b: deep };
  const shows = ({ request }: FuzzCase): Promise<boolean> => {
    const text = String(request.body);
    return Promise.resolve(text.includes('['.repeat(100)) && text.includes('x'.repeat(50)));
  };
  const { request } = await shrink(caseOf(tree), shows);
  expect(request.body.length).toBeLessThan(64 + 2 * 128 + 30);
});

it('keeps the damage when a request without it would be accepted too', async () => {
  const one = caseOf({ ...large, stop: 7 }, [['stop']]);
  const small = await shrink(one, () => Promise.resolve(true), { keepsDamage: true });
  expect(parseJson(String(small.request.body))).toEqual({ stop: 7 });
});

it('returns the same case when no smaller one shows the finding, after the allowed tries', async () => {
  let tries = 0;
  const one = caseOf(large);
  const same = await shrink(
    one,
    () => {
      tries += 1;
      return Promise.resolve(false);
    },
    { tries: 10 },
  );
  expect(same).toBe(one);
  expect(tries).toBe(10);
});
