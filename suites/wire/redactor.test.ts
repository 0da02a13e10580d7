import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import { curlWay, toCurl } from './curl.ts';
import { createRedactor, ownVariables } from './redactor.ts';

const key = 'sk-app-s3cr/et+1234567890';
const profileWith = (more: Partial<ProfileInput>): Profile =>
  profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: key }, ...more });
const redact = createRedactor(profileWith({ keys: { K1: key, K2: 'sk-app-other-key-000' } }));

it('replaces keys by placeholders with their role, in every form of encoding', () => {
  expect(redact(`Bearer ${key}`)).toBe('Bearer $GATECHECK_KEY');
  expect(redact('Bearer sk-app-other-key-000')).toBe('Bearer $GATECHECK_KEY_K2');
  expect(redact(`?key=${encodeURIComponent(key)}`)).not.toContain('s3cr');
  expect(redact(Buffer.from(key).toString('base64'))).not.toContain(
    Buffer.from(key).toString('base64').slice(0, 12),
  );
});

const unicode = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

it('finds a key within any text, in any encoding', () => {
  const encode: Readonly<Record<string, (text: string) => string>> = {
    plain: (text) => text,
    JSON: (text) => JSON.stringify(text),
    hex: (text) => Buffer.from(text).toString('hex'),
    'upper hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
    percent: (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
    URL: (text) => encodeURIComponent(text),
    'PHP JSON': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
    '.NET JSON': (text) => JSON.stringify(text).replaceAll(/[+&'<>`-]/g, (one) => unicode(one)),
    'JSON of escapes': (text) => [...text].map((one) => (one.length === 1 ? unicode(one) : one)).join(''),
    'JSON in JSON in a URL': (text) =>
      encodeURIComponent(JSON.stringify({ a: JSON.stringify(text).replaceAll('/', '\\/') })),
    HTML: (text) => text.replaceAll(/[^A-Za-z0-9]/g, (one) => `&#${one.charCodeAt(0)};`),
    'a URL of another writer': (text) => encodeURIComponent(text).replaceAll('-', '%2d'),
    base64: (text) => Buffer.from(text).toString('base64'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
  };
  const secret = fc
    .uint8Array({ minLength: 12, maxLength: 40 })
    .map((bytes) => `sk-app-${Buffer.from(bytes).toString('base64')}`);
  fc.assert(
    fc.property(
      secret,
      fc.string(),
      fc.string(),
      fc.constantFrom(...Object.keys(encode)),
      (K1, before, after, name) => {
        const seen = encode[name]?.(`${before}${K1}${after}`) ?? '';
        const text = createRedactor(profileWith({ keys: { K1 } }))(seen);
        expect(text).toContain('$GATECHECK_KEY');
        // The remaining base64 characters around the key determine none of its characters completely.
        const decoded = Buffer.from(text, 'base64').toString('latin1');
        expect([text, decoded].some((one) => one.includes(K1.slice(7)))).toBe(false);
      },
    ),
  );
});

it('hides the password of a URL', () => {
  const profile = profileSchema.parse({ base_url: 'http://me:p%40ssw0rd@127.0.0.1:1', keys: { K1: key } });
  const text = createRedactor(profile)('POST http://me:p%40ssw0rd@127.0.0.1:1/x, p@ssw0rd');
  expect(text).toBe(
    'POST http://me:$GATECHECK_BASE_URL_PASSWORD@127.0.0.1:1/x, $GATECHECK_BASE_URL_PASSWORD',
  );
});

it.each(['http://a-token@127.0.0.1:1', 'http://me:a-token%off@127.0.0.1:1'])(
  'hides a user without a password, and a password that is no valid encoding: %s',
  (url) => {
    const profile = profileSchema.parse({ base_url: url, keys: { K1: key } });
    expect(createRedactor(profile)(url)).not.toContain('a-token');
  },
);

it('hides webhook secrets with and without their prefix', () => {
  const [own, kit, tenant] = ['b3duLXNlY3JldC0x', 'a2l0LXNlY3JldC0x', 'bGFuZS1zZWNyZXQt'].map(
    (s) => `${s}${s}`,
  );
  const profile = profileWith({
    tenants: [{ name: 'lane-01', keys: { K1: key }, webhook_secret: `whsec_${tenant}` }],
    webhooks: { secret: `whsec_${own}`, kit: { url: 'http://127.0.0.1:2', secret: `whsec_${kit}` } },
  });
  const text = createRedactor(profile)(`whsec_${own} ${own} whsec_${tenant} ${tenant} whsec_${kit}`);
  const [name, kitName] = ['$GATECHECK_WEBHOOK_SECRET', '$GATECHECK_WEBHOOK_KIT_SECRET'];
  expect(text).toBe(`${name} ${name} ${name} ${name} ${kitName}`);
});

it('hides the token of the control API', () => {
  const token = 'token-of-the-control-api';
  const upstream = { control: 'http://127.0.0.1:2', token };
  const profile = profileWith({ upstream });
  expect(createRedactor(profile)(`Bearer ${token}`)).toBe('Bearer $GATECHECK_CONTROL_TOKEN');
});

it('hides the values of added headers, except plain words', () => {
  const headers = {
    'x-provider': 'openai',
    'x-portkey-provider': 'openai',
    'x-organisation': 'acme-7f3a91',
    'x-api-key': 'letmein',
  };
  const profile = profileWith({ http: { headers } });
  expect(createRedactor(profile)('openai, acme-7f3a91, letmein')).toBe(
    'openai, $GATECHECK_HEADER_X_ORGANISATION, $GATECHECK_HEADER_X_API_KEY',
  );
  const drawn = { ...profile, variables: { openai: 'PROVIDER' } };
  expect(createRedactor(drawn)('openai')).toBe('$GATECHECK_HEADER_X_PROVIDER');
});

it('replaces further texts by their given names', () => {
  const profile = profileWith({});
  const text = createRedactor(profile, [[`${key}x`, '$GATECHECK_KEY_ALTERED']])(`Bearer ${key}x`);
  expect(text).toBe('Bearer $GATECHECK_KEY_ALTERED');
});

it('writes a curl command in which the shell expands only the placeholder', () => {
  const line = toCurl(
    {
      method: 'POST',
      url: 'http://127.0.0.1:1/x',
      headers: [['authorization', `Bearer ${key}`]],
      body: Buffer.from(`{"a":"it's $5"}`),
    },
    redact,
  );
  expect(line).toContain('-H "authorization: Bearer $GATECHECK_KEY"');
  expect(line).toContain(String.raw`'{"a":"it'\''s $5"}'`);
  expect(line).not.toContain('s3cr');
});

it('writes a curl command that sends a body in chunks where the check did', () => {
  const body = Buffer.from('{}');
  const request = { method: 'POST', url: 'http://127.0.0.1:1/x', headers: [], body };
  expect(toCurl({ ...request, isChunked: true }, redact)).toContain("-H 'transfer-encoding: chunked'");
  expect(toCurl(request, redact)).not.toContain('transfer-encoding');
});

it('adds certificates and proxy to curl for the deployment, but not for other hosts', () => {
  const profile = profileSchema.parse({
    base_url: 'https://gateway.example/llm',
    keys: { K1: key },
    tls: { ca: "/etc/o'ca.pem", cert: 'me.pem', key: 'me.key' },
    http: { proxy: 'http://me:s3cret@proxy.example:3128' },
  });
  const lineTo = (url: string): string =>
    toCurl({ method: 'GET', url, headers: [], body: Buffer.alloc(0) }, redact, curlWay(profile));
  expect(lineTo('https://gateway.example/llm/api/v1/models')).toBe(
    String.raw`curl -sS -i --cacert '/etc/o'\''ca.pem' --cert 'me.pem' --key 'me.key' --proxy 'http://proxy.example:3128' -X GET 'https://gateway.example/llm/api/v1/models'`,
  );
  expect(lineTo('https://files.example/1')).toBe("curl -sS -i -X GET 'https://files.example/1'");
});

it('pipes a body that does not fit a command line', () => {
  const body = Buffer.concat([Buffer.from(`{"a":"it's 5 %`), Buffer.from([0, 0xff]), Buffer.from('"}')]);
  const line = toCurl({ method: 'POST', url: 'http://127.0.0.1:1/x', headers: [], body }, redact);
  const [printf = '', curl = ''] = line.split(' | ');
  expect(curl).toBe("curl -sS -i -X POST 'http://127.0.0.1:1/x' --data-binary @-");
  expect(execFileSync('bash', ['-c', printf])).toEqual(body);
});

it('uses the reader’s own environment variable for a key that the profile takes from it', () => {
  const profile = {
    ...profileWith({ keys: { K1: key, K2: 'sk-app-other-key-000' } }),
    variables: { [key]: 'MY_KEY' },
  };
  const sent = { method: 'GET', url: 'http://127.0.0.1:1/x', body: Buffer.alloc(0) };
  const lineWith = (secret: string): string =>
    toCurl(
      { ...sent, headers: [['authorization', `Bearer ${secret}`]] },
      createRedactor(profile),
      curlWay(profile),
    );
  expect(lineWith(key)).toContain('-H "authorization: Bearer $MY_KEY"');
  expect(lineWith('sk-app-other-key-000')).toContain('-H "authorization: Bearer $GATECHECK_KEY_K2"');
});

it('uses no variable of a single account for a placeholder that several share', () => {
  const tenants = ['one', 'two'].map((name) => ({ name, keys: { K1: `sk-app-of-lane-${name}` } }));
  const profile = {
    ...profileWith({ tenants }),
    variables: { [key]: 'MY_KEY', 'sk-app-of-lane-one': 'ONE' },
  };
  expect(ownVariables(profile).get('$GATECHECK_KEY')).toBeUndefined();
});
