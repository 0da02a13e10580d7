import { describe, expect, it } from 'vitest';
import { absent } from '../../oracle/json-text.ts';
import { everySubject } from '../testing/served.ts';
import { placesIn } from './body-tree.ts';
import { printBody } from './raw-json.ts';
import { endpoints } from './subject.ts';

describe('the subjects of all endpoints', () => {
  it('has every endpoint', () => {
    expect(new Set(everySubject.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
  });

  it('have a legal body for every field, and draw the same from the same seed', () => {
    for (const subject of everySubject.filter(({ least }) => least !== null)) {
      const having = subject.whole.flatMap((body) => [...placesIn(body).keys()]);
      const nested = subject.fields.filter(({ name }) => /[.[]/.test(name));
      expect(nested.filter(({ name }) => !having.includes(name))).toEqual([]);
      expect(printBody(subject.draw(5))).toEqual(printBody(subject.draw(5)));
    }
  });
});

describe('the certainty about a value', () => {
  const subject = (endpoint: string) => everySubject.find((one) => one.endpoint === endpoint);
  const certainty = (endpoint: string, name: string, value: unknown) => {
    const found = subject(endpoint);
    const field = found?.fields.find((one) => one.name === name);
    return field === undefined ? null : found?.known.certaintyOf(field, value);
  };

  it.each([
    ['chat', 'messages', absent, 'refuse'],
    ['chat', 'messages', 'hello', 'refuse'],
    ['chat', 'messages', [{ role: 'user', content: 'a' }], 'open'],
    ['chat', 'temperature', 'warm', 'refuse'],
    ['chat', 'temperature', 2.0001, 'refuse'],
    ['chat', 'temperature', null, 'open'],
    ['chat', 'user', 'anybody', 'open'],
    ['chat', 'messages[].role', 'wizard', 'refuse'],
    ['chat', 'messages[].role', 'developer', 'open'],
    ['chat', 'messages[].content', null, 'open'],
    ['chat', 'messages[].content', 7, 'refuse'],
    ['messages', 'max_tokens', 0, 'refuse'],
    ['messages', 'messages', [{ role: 'user', content: 'a' }], 'open'],
    ['generate', 'contents', absent, 'refuse'],
    ['generate', 'generationConfig.topK', 'x', 'open'],
    ['images', 'prompt', absent, 'refuse'],
    ['images', 'n', 'x', 'refuse'],
  ] as const)('%s %s', (endpoint, name, value, expected) => {
    expect(certainty(endpoint, name, value)).toBe(expected);
  });
});
