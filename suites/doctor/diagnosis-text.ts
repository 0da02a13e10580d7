import { skewInWords } from '../runner/clock-skew.ts';
import { factHints } from '../runner/fact-hints.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Gain } from './gains.ts';
import { gainInWords, linesOf } from './profile-text.ts';

/** How many missing facts are shown with their lines. */
const shownGains = 12;
/** The maximum number of disabled catalogue models to name. */
const shownModels = 8;

/** A diagnosis as text: the findings, and the profile lines that unlock more checks. */
export function diagnosisText(
  diagnosis: Diagnosis,
  { all, model }: { readonly all: boolean; readonly model: string | null },
): string {
  const { evidence } = diagnosis;
  const gains = evidence.gains.filter(({ fact }) => linesOf(fact, 0) !== '');
  const shown = all ? gains : gains.slice(0, shownGains);
  const rest = gains.length - shown.length;
  return [
    ...found(diagnosis),
    `evidence  ${evidence.checks} of ${evidence.ofChecks} checks can be judged, for ${evidence.rules} of ${evidence.ofRules} rules`,
    ...(gains.length === 0 ? ['', 'Nothing is missing.'] : ['', 'To judge more, add to the profile:']),
    ...shown.flatMap((gain) => gainLines(gain, model)),
    ...(rest === 0 ? [] : ['', `And ${rest} more facts: --all shows them.`]),
    '',
  ].join('\n');
}

function found({ baseUrl, latencyMs, clockSkewMs, keys, lost, ...rest }: Diagnosis): string[] {
  const { models, mediaModels, lackingModels, leftOut } = rest;
  const wrong = keys.filter(({ fault }) => fault !== null);
  const more = lackingModels.length > shownModels ? ` and ${lackingModels.length - shownModels} more` : '';
  const named = `${lackingModels.slice(0, shownModels).join(', ')}${more}`;
  const lacking = lackingModels.length === 0 ? '' : `; not enabled: ${named}`;
  return [
    `address   ${baseUrl} answers; a rejection takes ${Math.max(1, Math.round(latencyMs))} ms`,
    `clock     ${clockSkewMs === 0 ? 'within five seconds of this machine, by its Date header' : skewInWords(clockSkewMs)}`,
    `keys      ${keys.length - wrong.length} of ${keys.length} behave as the profile says`,
    ...wrong.map(({ name, fault, rule }) => {
      const broken = rule === null ? '' : `; ${rule} fails, unless the profile names another key`;
      return `  WRONG   ${name}: ${fault}${broken}`;
    }),
    `models    ${models.length} for chat, ${mediaModels.length} for images and tasks${lacking}`,
    ...lost.map((text) => `  LOST    ${text}`),
    ...leftOut.map((text) => `  LEFT    ${text}`),
  ];
}

function gainLines(gain: Gain, model: string | null): string[] {
  return [
    '',
    `${gain.fact}: ${factHints[gain.fact]}`,
    `  ${gainInWords(gain)}`,
    linesOf(gain.fact, 4, model),
  ];
}
