import type { ChannelDialect } from '../../catalogue/dialects.ts';
import {
  type CallbackJob,
  callbackJobsBody,
  callbackJobsNames,
} from '../../requests/native-body/callback-jobs.ts';
import type { FieldNames } from '../../requests/native-body/field-names.ts';
import { jobsBody, jobsNames } from '../../requests/native-body/jobs.ts';
import { callbackJobs } from '../../upstreams/callback-jobs/dialect.ts';
import { jobs } from '../../upstreams/jobs/dialect.ts';
import type { JobDialect } from '../../upstreams/media/job-dialect.ts';
import type { Task } from './task.ts';

/** The facts that the start of a job needs beyond the caller's fields. */
export type JobEnvironment = Pick<CallbackJob, 'parents' | 'callbackUrl'>;

/** Both parts of a dialect: how a task is written in it, and how its calls are made. */
export interface JobDialectParts {
  readonly dialect: JobDialect;
  readonly names: FieldNames;
  readonly nativeBody: (task: Task, environment: JobEnvironment, nativeModel: string) => string;
}

const parts: Readonly<Record<'jobs' | 'callback-jobs', JobDialectParts>> = {
  jobs: {
    dialect: jobs,
    names: jobsNames,
    nativeBody: ({ fields }, _environment, nativeModel) => jobsBody(fields, nativeModel),
  },
  'callback-jobs': {
    dialect: callbackJobs,
    names: callbackJobsNames,
    nativeBody: ({ id, model, action, fields }, environment, nativeModel) =>
      callbackJobsBody({ model, action, fields, reference: id, ...environment }, nativeModel),
  },
};

/** The parts of a job dialect. The configuration allows task models only on channels of job dialects. */
export function jobPartsOf(dialect: ChannelDialect): JobDialectParts {
  if (dialect !== 'jobs' && dialect !== 'callback-jobs')
    throw new Error(`a task model on a channel that speaks ${dialect}`);
  return parts[dialect];
}
