import { isAbsolute } from './images-answer.ts';

/** Every absolute URL in a record, except those that lead elsewhere than to a result. */
export function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return isAbsolute(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /webhook|self|poll/i.test(name) ? [] : urlsIn(inner),
  );
}
