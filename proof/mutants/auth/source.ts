import { type Mutant, source } from '../../edits/mutant.ts';

/** Calls an upstream even after a caller with a known key was rejected. */
export const asksAnyway = `await (async () => {
    try { return await enter(exchange, access); } catch (error) {
      const record = access.keys.find((exchange.incoming.headers.authorization ?? '').slice(7))?.record;
      const sent = await readBody(exchange);
      const [live] = record ? service.channels.serving(JSON.parse(String(sent)).model, [record.account_id]) : [];
      if (live) await service.upstreams.post({ url: live.channel.baseUrl + '/chat/completions', headers: { authorization: 'Bearer ' + live.channel.apiKey }, body: String(sent), accept: 'application/json', gone: exchange.gone });
      throw error;
    }
  })()`;

/** Gateways with an authentication defect that only their own source can have. */

const keys: readonly Mutant[] = [
  source(
    ['auth.any-key', 'a key that is not known is taken for another', 'AUTH-005', 'never-issued'],
    'access/key-ring.ts',
    '? found : null',
    '? found : ([...keys.values()][0] ?? null)',
  ),
  source(
    ['auth.key-end-ignored', 'the last character of a key does not count', 'AUTH-005', 'one-character'],
    'access/hash-key.ts',
    '.update(secret)',
    '.update(secret.slice(0, -1))',
  ),
  source(
    ['auth.key-rest-ignored', 'what follows a key does not count', 'AUTH-005', 'extended'],
    'access/hash-key.ts',
    '.update(secret)',
    '.update(secret.slice(0, 39))',
  ),
  source(
    ['auth.key-case-ignored', 'the case of the letters of a key does not count', 'AUTH-005', 'other-case'],
    'access/hash-key.ts',
    '.update(secret)',
    '.update(secret.toLowerCase())',
  ),
  source(
    ['auth.prefix-optional', 'a key works without its prefix', 'AUTH-002', 'without-prefix'],
    'access/authenticate.ts',
    'secret?.startsWith(keyPrefix) ? keys.find(secret) : null',
    'secret ? (keys.find(secret) ?? keys.find(keyPrefix + secret)) : null',
  ),
  source(
    ['auth.prefix-any', 'a key works with another prefix', 'AUTH-002', 'other-prefix'],
    'access/authenticate.ts',
    'secret?.startsWith(keyPrefix) ? keys.find(secret) : null',
    'secret ? keys.find(secret.replace(/^(sk-app-|sk-)/, keyPrefix)) : null',
  ),
];

const states: readonly Mutant[] = [
  source(
    ['auth.expiry-set', 'a key with an expiry counts as expired', 'AUTH-009', 'before-expiry'],
    'access/authenticate.ts',
    'nowMs >= expiry',
    'nowMs >= 0',
  ),
];

const ranges: readonly Mutant[] = [
  source(
    ['auth.range-wider', 'a range is twice as wide as written', 'AUTH-011', 'outside-before'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    'Number(bits) - 1, isIP',
  ),
  source(
    ['auth.range-pairs', 'a single address lets its neighbour in', 'AUTH-011', 'outside-after'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    'Math.min(31, Number(bits)), isIP',
  ),
  source(
    ['auth.range-first-only', 'of two addresses only the first is admitted', 'AUTH-011', 'inside-last'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    'bits === "31" ? 32 : Number(bits), isIP',
  ),
  source(
    ['auth.range-no-single', 'a range of one address is empty', 'AUTH-011', 'inside-first'],
    'access/allow-list.ts',
    'list.addSubnet(address,',
    "if (bits !== '32') list.addSubnet(address,",
  ),
  source(
    ['auth.range-exact', 'only the address before the slash is admitted', 'AUTH-011', 'inside-allowed'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    '(isIP(address) === 6 ? 128 : 32), isIP',
  ),
  source(
    ['auth.forwarded-opens', 'X-Forwarded-For is believed', 'AUTH-013', 'stays-refused'],
    'http/exchange.ts',
    "peer: incoming.socket.remoteAddress ?? ''",
    "peer: String(incoming.headers['x-forwarded-for'] ?? incoming.socket.remoteAddress ?? '')",
  ),
];
export const authSourceMutants: readonly Mutant[] = [
  ...keys,
  ...states,
  ...ranges,
  source(
    [
      'auth.refused-calls-upstream',
      'the upstream is asked before the key is judged',
      'AUTH-017',
      'no-upstream-call',
    ],
    'endpoints/chat/chat.ts',
    'enter(exchange, access)',
    asksAnyway,
  ),
];
