import { expect, it } from 'vitest';
import { testConfig } from '../testing/test-gateway.ts';
import { uselessUrl } from './useless-url.ts';

const config = testConfig('http://127.0.0.1:1');
const chatOnly = {
  channels: config.channels.filter(({ dialect }) => dialect === 'chat-completions'),
};
const withCallbacks = {
  channels: config.channels.map((row) => ({ ...row, callbacks: row.dialect === 'callback-jobs' })),
};

it.each([
  'http://127.0.0.1:8080',
  'http://localhost',
  'http://0.0.0.0:80',
  'http://[::1]:80',
  'http://[::]:80',
])('is reported for %s if links to files depend on it', (url) => {
  expect(uselessUrl(config, url)).toContain(
    'public_url is not set: other machines cannot use links to results of ch-images',
  );
  expect(uselessUrl({ ...config, public_url: url }, url)).toContain('an address of this machine alone');
  expect(uselessUrl({ ...config, ...withCallbacks }, url)).toContain('callbacks of upstreams');
  expect(uselessUrl({ ...config, ...chatOnly }, url)).toBeNull();
});

it.each(['https://gateway.example.com', 'http://10.0.0.7:8080', 'http://[2001:db8::1]'])(
  'is not reported for %s',
  (url) => {
    expect(uselessUrl(config, url)).toBeNull();
  },
);
