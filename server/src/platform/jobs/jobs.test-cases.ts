import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { insertFailedJob } from '../../../test/harness/jobs.ts';

const FAILED_JOB: Named = { table: 'paydesk_jobs.job', make: insertFailedJob };

export const CASES: RouteCases = {
  'GET /operator/jobs': {
    access: 'operator',
    parameters: {
      ...PAGES,
      state: { takes: ['waiting', 'failed'], refuses: ['', 'x', 'Failed', 'waiting,failed'] },
      name: { takes: ['billing-schedule', 'x', '%', "'"], refuses: ['a'.repeat(256)] },
    },
  },
  'POST /operator/jobs/:job_id/retry': { access: 'operator', names: FAILED_JOB },
};
