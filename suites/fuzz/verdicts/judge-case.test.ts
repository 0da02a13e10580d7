import { expect, it } from 'vitest';
import { exchangeOf } from '../../testing/sample-answers.ts';
import { type FuzzCase, withTree } from '../cases/fuzz-case.ts';
import type { Subject } from '../grammar/subject.ts';
import { everySubject } from '../testing/served.ts';
import { judgeCase } from './judge-case.ts';

const subject = everySubject.find(({ endpoint }) => endpoint === 'generate') as Subject;
const facts = { guardsLinks: true, secrets: [], timeoutMs: 1_000 };

/** The verdicts on a refusal with this `param`, for a body whose `systemInstruction` is damaged. */
function said(tree: object, param: string): string[] {
  const one = withTree(
    {
      ...{ index: 0, subject, tree, stream: false, sound: null, places: [['systemInstruction']] },
      cells: [{ endpoint: 'generate', field: 'systemInstruction', kind: 'number' }],
      ...{ certainty: 'refuse', isNamed: true, isPrivateLink: false, isLeast: true },
      request: subject.request(Buffer.alloc(0), false),
    } satisfies FuzzCase,
    tree,
  );
  const error = {
    type: 'invalid_request_error',
    code: 'invalid_param',
    message: 'No.',
    channel: null,
    param,
  };
  const exchange = exchangeOf(JSON.stringify({ error: { ...error, status: 'INVALID_ARGUMENT' } }));
  const refused = { ...exchange, response: exchange.response && { ...exchange.response, status: 400 } };
  return judgeCase(one, refused, facts).map(({ level, cause }) => `${level} ${cause}`);
}

const whole = { ...subject.least, systemInstruction: 7 };

it('requires a refusal to name the only damaged field', () => {
  expect(said(whole, 'systemInstruction')).not.toContain('fail param names another field');
  expect(said(whole, 'contents')).toContain('fail param names another field');
});

it('accepts a refusal that names a required field removed by shrinking', () => {
  expect(said({ systemInstruction: 7 }, 'contents')).not.toContain('fail param names another field');
});
