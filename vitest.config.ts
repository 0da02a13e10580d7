import { defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 26) {
  throw new Error('the tests need Node 26: start them with `npm test`, which uses the one in node_modules');
}

export default defineConfig({
  test: {
    include: ['{gateway,simulators,suites,reports}/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
