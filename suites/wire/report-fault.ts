import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { reportSchema } from 'gatecheck-reports/report-schema';

let compiled: ValidateFunction | null = null;

/** Where a value differs from the schema of reports; null if it fits. */
export function reportFault(report: unknown): string | null {
  compiled ??= new Ajv2020({ strict: false }).compile(reportSchema);
  if (compiled(report)) return null;
  const [fault] = compiled.errors ?? [];
  return `${fault?.instancePath || 'it'} ${fault?.message}`;
}
