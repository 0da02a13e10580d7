import { expect, it } from 'vitest';
import { objectOf } from '../oracle/native/json.ts';
import { dialect } from '../profile/dialect.ts';
import { ErrorMap, errorBodyIn, errorsAt } from './error-map.ts';

const mapOf = (errors: object) => new ErrorMap(dialect.parse({ errors }).errors);
const codes = {
  invalid_param: { status: 400 },
  model_not_found: { status: 400, message: 'no model' },
  sk_disabled: { status: 401, code: 7 },
  sk_expired: { status: 401, code: 7 },
  channel_outage: null,
};

it.each([
  [{ error: { message: 'No model x' } }, 400, ['model_not_found']],
  [{ error: { message: 'Odd' } }, 400, ['invalid_param']],
  [{ error: 'Odd' }, 400, ['invalid_param']],
  [{ error: { code: '7' } }, 401, ['sk_disabled', 'sk_expired']],
  [{ error: { code: 'quota_exceeded' } }, 429, ['quota_exceeded']],
  [{ error: { code: 'odd' } }, 418, []],
])('reads %j with %i by its most specific sign', (body, status, expected) => {
  expect(mapOf({ codes }).read(body, status)?.codes).toEqual(expected);
});

it('gives an error the members, the type and the status of its code', () => {
  const map = mapOf({ object: null, members: { message: 'detail', param: null }, codes });
  expect(map.read({ detail: 'no model', trace: 1 }, 400)).toEqual({
    codes: ['model_not_found'],
    status: 404,
    body: {
      error: {
        ...{ trace: 1, type: 'invalid_request_error', code: 'model_not_found' },
        ...{ message: 'no model', channel: null, param: null },
      },
    },
    shape: map,
  });
  expect(map.read({ choices: [] }, 200)).toBeNull();
  expect([map.lacks('param'), map.lacks('channel'), map.lacking]).toEqual([true, false, ['channel_outage']]);
});

it('reads an error without the usual object in the first other shape that fits', () => {
  const own = dialect.parse({
    errors: { codes, also: [{ object: null, members: { message: 'detail', code: null, param: null } }] },
  });
  const map = errorsAt(own)('/api/v1/chat/completions');
  const read = map.read({ detail: [{ msg: 'no model' }] }, 400);
  expect(read?.body.error).toMatchObject({ code: 'model_not_found', message: '[{"msg":"no model"}]' });
  expect([read?.shape.lacks('param'), map.lacks('param')]).toEqual([true, false]);
  expect(map.read({ error: { message: 'odd', param: 'n' } }, 400)?.body.error).toMatchObject({ param: 'n' });
  expect(map.read({ whatever: 1 }, 400)).toBeNull();
  expect(map.read({ error: { message: 'odd', code: 'upstream_error' } }, null)?.codes).toEqual([
    'upstream_error',
  ]);
  expect(map.read({ detail: { odd: 1 } }, 418)?.body.error).toMatchObject({ code: 'no_equivalent' });
});

it('an error that is plain text is its message, where the dialect says so; a page is none', () => {
  const said = (type: string) =>
    errorBodyIn({ headers: [['Content-Type', type]], body: Buffer.from('no model') });
  const map = (text?: true) => errorsAt(dialect.parse({ errors: { codes, text } }))('/api/v1/models');
  expect(map(true).read(said('text/plain; charset=utf-8') ?? {}, 400)?.body.error).toMatchObject({
    ...{ code: 'model_not_found', message: 'no model' },
  });
  expect([map().read(said('text/plain') ?? {}, 400), said('text/html')]).toEqual([null, null]);
});

it('an error may be in an object of an object', () => {
  const read = mapOf({ codes, object: 'detail.error' }).read(
    { detail: { error: { message: 'no model' } } },
    400,
  );
  expect(read?.body).toMatchObject({ error: { code: 'model_not_found' } });
  expect(read?.body).not.toHaveProperty('detail');
});

it('marks codes with equal signs as ambiguous, each with the profile member that causes it', () => {
  const said = 'dialect.errors.codes: sk_disabled and sk_expired are one there';
  expect(Object.fromEntries(mapOf({ codes }).blurred)).toEqual({ sk_disabled: said, sk_expired: said });
});

it('a code or another word says more than a status alone', () => {
  const map = mapOf({ codes: { invalid_param: { status: 422 }, unsupported_capability: { code: 'blind' } } });
  const codesOf = (code: string) => map.read({ error: { message: 'No.', code } }, 422)?.codes;
  expect([codesOf('blind'), codesOf('odd')]).toEqual([['unsupported_capability'], ['invalid_param']]);
});

it('an unknown task is none of the models where a dialect has a status alone for both', () => {
  const { errors } = dialect.parse({
    errors: { codes: { model_not_found: [{ status: 404, code: 'model_not_found' }, { status: 404 }] } },
  });
  const codesAt = (path: string, code: string | null): unknown =>
    errorsAt({ errors })(path).read({ error: { message: 'No.', type: 'x', code } }, 404)?.codes;
  expect(codesAt('/api/v1/tasks/t-1', null)).toEqual(['task_not_found']);
  expect(codesAt('/api/v1/tasks/t-1', 'model_not_found')).toEqual(['model_not_found']);
  expect(codesAt('/api/v1/tasks', null)).toEqual(['model_not_found']);
});

it.each([
  [{ error: { message: 'No model x', code: 'E1' } }, 404, 'model_not_found'],
  [{ code: 401, message: 'Who?' }, 401, 'invalid_api_key'],
  [{ code: 1001, message: 'Who?' }, 401, 'invalid_api_key'],
  [{ code: 7777, message: 'Odd' }, 400, 'code_7777'],
])('an error with HTTP 200 has the status of its code: %j', (body, status, code) => {
  const { errors } = dialect.parse({
    errors: {
      codes: {
        invalid_api_key: [{ status: 401 }, { code: 1001 }],
        model_not_found: { code: 'E1' },
        quota_exceeded: { status: 429 },
      },
      in_success: true,
      also: [{ object: null, members: { channel: null, param: null, type: null } }],
    },
  });
  const read = errorsAt({ errors })('/api/v1/chat/completions').read(body, 200);
  expect([read?.status, (read?.body.error as Record<string, unknown> | undefined)?.code]).toEqual([
    status,
    code,
  ]);
});

it.each([
  { choices: [], usage: { total_tokens: 1 }, error: null },
  { code: 0, message: 'ok', data: { choices: [] } },
  { task_id: 't', status: 'QUEUED', message: 'waits' },
  { code: 'Success', message: '' },
])('an answer of success is no error, although errors have HTTP 200: %j', (body) => {
  const { errors } = dialect.parse({ errors: { object: null, in_success: true } });
  expect(errorsAt({ errors })('/api/v1/tasks').read(body, 200)).toBeNull();
  expect(errorsAt({ errors })('/api/v1/tasks').read(body, null)).toBeNull();
});

it('HTTP 200 is success where the dialect does not say otherwise', () => {
  expect(mapOf({ codes }).read({ error: { message: 'No model', code: 7 } }, 200)).toBeNull();
});

it.each([
  ['missing_error', 'invalid_request_error'],
  ['two_error', 'two_error'],
  ['odd_error', 'odd_error'],
])('an error without equivalent and with the type %s has that of the codes declared with it', (type, is) => {
  const map = mapOf({
    codes: {
      model_not_found: { code: 'no_model', type: 'missing_error' },
      task_not_found: { code: 'no_job', type: 'missing_error' },
      quota_exceeded: { code: 'spent', type: 'two_error' },
      upstream_error: { code: 'broken', type: 'two_error' },
    },
  });
  const error = { message: 'No.', code: 'no_route', type };
  expect(map.read({ error }, 409)?.body.error).toMatchObject({ code: 'no_route', type: is });
});

it.each([
  ['NO_ROUTE', 'BAD_FIELD', 'no_route'],
  ['NoRoute', 'BadField', 'no_route'],
  ['NoRoute', 'bad_field', 'NoRoute'],
])('a code %s without equivalent has our form where declared ones are as %s', (code, declared, is) => {
  const map = mapOf({ codes: { invalid_param: { code: declared } } });
  expect(map.read({ error: { message: 'No.', code } }, 404)?.body.error).toMatchObject({ code: is });
});

it('reads a type of its own by the status where the text leaves the code open', () => {
  const own = mapOf({ codes: { invalid_param: { status: 422, type: 'bad_request', code: 'E_BODY' } } });
  const typeIn = (status: number, type: string): unknown =>
    objectOf(own.read({ error: { message: 'No.', type, code: 'E_METHOD' } }, status)?.body.error).type;
  expect([typeIn(405, 'bad_request'), typeIn(413, 'large')]).toEqual(Array(2).fill('invalid_request_error'));
  expect(typeIn(409, 'large')).toBe('large');
  const plain = mapOf({ codes: { invalid_param: { status: 422 } } });
  const error = plain.read({ error: { message: 'No.', type: 'odd' } }, 405)?.body.error;
  expect(error).toMatchObject({ type: 'odd' });
});

it('reads a status that the code of an error within a stream says', () => {
  const map = mapOf({ codes: { invalid_api_key: { status: 401 }, upstream_error: { status: [500, 502] } } });
  expect(map.read({ error: { message: 'odd', code: '500' } }, null)?.codes).toEqual(['upstream_error']);
  expect(map.read({ error: { message: 'odd', code: 401 } }, null)?.codes).toEqual(['invalid_api_key']);
});

it('takes an error of a stream that says nothing else for one of the service', () => {
  const map = mapOf({ codes: { invalid_api_key: { status: 401 }, upstream_error: { status: 502 } } });
  expect(map.read({ error: { message: 'odd' } }, null)?.codes).toEqual(['upstream_error', 'invalid_api_key']);
});
