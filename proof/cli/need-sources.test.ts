import { expect, it } from 'vitest';
import { UsageError } from '../../suites/exit-codes.ts';
import { needSources } from './need-sources.ts';

it('lets a command begin in a clone, and refuses it in a package', () => {
  expect(() => needSources('prove', 'file:///clone/suites/cli/prove.ts')).not.toThrow();
  expect(() => needSources('prove', 'file:///x/node_modules/gatecheck/dist/suites/cli/prove.js')).toThrow(
    UsageError,
  );
});
