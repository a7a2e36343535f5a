import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is the API's, which every answer is checked against
type ApiJob = any;

/** Lists the jobs that a query of `GET /operator/jobs` finds. */
export async function listJobs({ call, operatorKey }: TestService, query: string): Promise<ApiJob[]> {
  const path = `/operator/jobs?perPage=1000&${query}`;
  return expectStatus(await call('GET', path, { token: operatorKey }), 200).body.data;
}

/** Inserts a schedule that has failed and that no process runs. @returns the id of its job */
export async function insertFailingSchedule(service: TestService): Promise<string> {
  await service.database.owner`
    INSERT INTO schedules (name, attempts, next_at) VALUES ('battery', 1, now() + interval '1 hour')
    ON CONFLICT (name) DO UPDATE SET attempts = 1, next_at = excluded.next_at`;
  await service.database.owner`
    INSERT INTO job_failures (company_id, kind, record, error) VALUES (${OPERATOR_SCOPE}, 'schedules', 'battery', 'broken')
    ON CONFLICT DO NOTHING`;
  const jobs = await listJobs(service, 'kind=schedules');
  return jobs.find(({ record }) => record === 'battery').id;
}
