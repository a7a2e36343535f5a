import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { insertFailingSchedule } from '../../../test/harness/jobs.ts';

const FAILING_JOB: Named = { table: 'schedules', make: insertFailingSchedule };

export const CASES: RouteCases = {
  'GET /operator/jobs': {
    access: 'operator',
    parameters: {
      ...PAGES,
      state: { takes: ['due', 'failing'], refuses: ['', 'x', 'Failing', 'due,failing', 'failed'] },
      kind: { takes: ['mails', 'schedules'], refuses: ['', 'x', 'Mails', 'mails,webhooks', '%', "'"] },
    },
  },
  'POST /operator/jobs/:job_id/retry': { access: 'operator', names: FAILING_JOB },
};
