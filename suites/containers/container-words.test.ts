import { expect, it } from 'vitest';
import { container } from '../profile/container.ts';
import type { ContainerGroup } from './container-group.ts';
import { lastWords, redactorOf } from './container-words.ts';

const section = container.parse({
  image: 'gateway',
  environment: { API_KEY: 'sk-app-0001', MODE: 'production', DATABASE_URL: 'postgres://me:hunter22@db/x' },
});

it('masks secrets of a container: by secret name, by variable, or in a URL', () => {
  const redact = redactorOf(section, { 'taken-from-mine': 'MINE' });
  expect(redact('sk-app-0001 taken-from-mine production')).toBe('$API_KEY $MINE production');
  expect(redact('cannot reach postgres://me:hunter22@db/x')).toBe('cannot reach postgres://me:***@db/x');
});

it('shows every container, even one with lost output', async () => {
  const member = { id: '1', service: 'gateway', state: 'exited', status: 'Exited (7)', ports: new Map() };
  const group: ContainerGroup = {
    members: async () => [member, { ...member, service: 'database', status: 'Up' }],
    tail: async ({ service }) => {
      if (service === 'database') throw new Error('no such container');
      return ['one', 'x'.repeat(1_000)];
    },
    remove: async () => undefined,
  };
  const words = await lastWords(group, 10, (text) => text);
  expect(words).toEqual([
    'gateway: Exited (7)',
    '  one',
    `  ${'x'.repeat(300)}`,
    'database: Up',
    '  (no output)',
  ]);
});
