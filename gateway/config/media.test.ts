import { expect, it } from 'vitest';
import { media, s3KeysIn } from './media.ts';

const s3 = { endpoint: 'https://s3.example.com/', bucket: 'media' };

it('fills in defaults for a bucket', () => {
  expect(media.parse({ s3 })).toEqual({
    most_bytes: 512 * 1024 * 1024,
    s3: {
      endpoint: 'https://s3.example.com',
      bucket: 'media',
      region: 'us-east-1',
      path_style: true,
      timeout_ms: 15_000,
    },
  });
  expect(media.parse({ s3: { ...s3, prefix: 'a/b.c/' } }).s3?.prefix).toBe('a/b.c/');
});

it.for<[string, Record<string, unknown>]>([
  ['s3.endpoint', { s3: { ...s3, endpoint: 's3.example.com' } }],
  ['s3.endpoint', { s3: { ...s3, endpoint: 'https://me:secret@s3.example.com' } }],
  ['s3.endpoint', { s3: { ...s3, endpoint: 'https://s3.example.com?x=y' } }],
  ['s3.bucket', { s3: { ...s3, bucket: 'a/b' } }],
  ['s3.bucket', { s3: { endpoint: s3.endpoint } }],
  ['s3.prefix', { s3: { ...s3, prefix: '/a/' } }],
  ['s3.prefix', { s3: { ...s3, prefix: 'a/../b/' } }],
  ['s3.prefix', { s3: { ...s3, prefix: 'a' } }],
  ['s3.prefix', { s3: { ...s3, prefix: '' } }],
  ['s3.region', { s3: { ...s3, region: 'EU (Frankfurt)' } }],
  ['s3', { s3: { ...s3, access_key_id: 'alone' } }],
  ['s3', { s3: { ...s3, secret: 'misspelt' } }],
  ['', { dir: './media', s3 }],
])('names what is wrong: %s', ([path, wrong]) => {
  expect(media.safeParse(wrong).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

it('reads keys from the environment when the configuration has none', () => {
  const parsed = media.parse({ s3 }).s3;
  const own = media.parse({ s3: { ...s3, access_key_id: 'id', secret_access_key: 'secret' } }).s3;
  if (parsed === undefined || own === undefined) throw new Error('no bucket');
  const env = { AWS_ACCESS_KEY_ID: 'env-id', AWS_SECRET_ACCESS_KEY: 'env-secret' };
  expect(s3KeysIn(parsed, env)).toEqual({ accessKeyId: 'env-id', secretAccessKey: 'env-secret' });
  expect(s3KeysIn(own, env)).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  expect(s3KeysIn(parsed, { AWS_ACCESS_KEY_ID: 'env-id' })).toBeNull();
  expect(s3KeysIn(parsed, { ...env, AWS_SECRET_ACCESS_KEY: '' })).toBeNull();
});
