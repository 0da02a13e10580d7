import { expect, it } from 'vitest';
import { profileSchema } from '../../profile/profile.ts';
import { Findings } from '../verdicts/findings.ts';
import { reportedFindings } from './build-report.ts';
import { failuresIn } from './fuzz-report.ts';

it('reports growing memory as a failure of the part in which it grew', () => {
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:9', keys: { K1: 'sk-app-x' } });
  const findings = reportedFindings(
    { raw: null, costs: null, costFindings: new Findings(), fields: null },
    [{ part: 'fields', grownMb: 130, boundMb: 64 }],
    { profile, redact: (text) => text, replayPrefix: 'npx gatecheck fuzz', bodyFile: (id) => id },
  );
  expect(failuresIn({ findings })).toMatchObject([
    { id: 'F1', part: 'fields', cause: 'memory grows', replay: null, shell: null },
  ]);
  expect(findings[0]?.actual).toContain('130 MB');
});
