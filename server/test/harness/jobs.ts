import type { TestService } from './service.ts';

/** Inserts a failed job into a queue that no process reads. @returns its id */
export async function insertFailedJob({ database: { owner } }: TestService): Promise<string> {
  await owner`SELECT paydesk_jobs.create_queue('battery', '{"policy": "standard"}')`;
  const [row] = await owner<[{ id: string }]>`
    INSERT INTO paydesk_jobs.job (name, state, started_on, completed_on) VALUES ('battery', 'failed', now(), now()) RETURNING id`;
  return row.id;
}
