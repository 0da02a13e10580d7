import { expect, it } from 'vitest';
import { declaredUrl } from './declared-url.ts';

it.each([
  ['https://gateway.example.com/llm', 'https://gateway.example.com/llm'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://me:s3cr@t@gateway.example.com:8443/a@b', 'https://me:***@gateway.example.com:8443/a@b'],
  ['https://t0ken@gateway.example.com', 'https://***@gateway.example.com'],
  ['https://t0ken:@gateway.example.com', 'https://***@gateway.example.com'],
])('shows %s as %s', (url, shown) => {
  expect(declaredUrl({ base_url: url })).toBe(shown);
});
