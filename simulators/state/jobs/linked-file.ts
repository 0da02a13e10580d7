import type { DialectName } from '../../answers/native-answer.ts';
import type { Made } from '../../encoders/generated-file.ts';
import type { Job, JobBefallen } from './job.ts';

/** A file behind links of a lane. */
export interface TenantFile {
  readonly id: string;
  readonly dialect: DialectName;
  readonly channel: string;
  readonly made: Made;
  /** Which output of its answer it is, from 0. */
  readonly index: number;
  /** The job that made it; null for a picture of a call that answered at once. */
  readonly job: Job | null;
  readonly befallen: JobBefallen | null;
  readonly createdAtMs: number;
  reads: number;
}
