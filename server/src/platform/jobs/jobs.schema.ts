import type { Static } from 'typebox';
import { timestamp } from '../http/schema/fields.ts';
import { namedObject } from '../http/schema/named.ts';
import { pageHead, pageQuery } from '../http/schema/pagination.ts';
import { Type } from '../http/schema/type.ts';
import { JOB_STATES } from './jobs.operator.queries.ts';

export const JobQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(Type.Enum(JOB_STATES, { description: 'Only jobs in this state.', examples: ['failed'] })),
  name: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only jobs of this name.', examples: ['billing-schedule'] }),
  ),
});
export type JobQuery = Static<typeof JobQuery>;

const moment = (description: string, example: string | null) =>
  Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] });

export const BackgroundJob = namedObject('BackgroundJob', {
  id: Type.String({ format: 'uuid', examples: ['6f9c1a52-3d0e-4a7b-9a35-d1c5c8c1f0aa'] }),
  name: Type.String({ examples: ['billing-schedule'] }),
  state: Type.Enum(JOB_STATES, {
    description:
      '`retrying`: it failed and is tried again. `failed`: it was given up. `failed` and `done` jobs are kept for two weeks.',
    examples: ['failed'],
  }),
  attempts: Type.Integer({ description: 'How many times it was started.', examples: [3] }),
  createdAt: timestamp(),
  startedAt: moment('When it last started.', '2026-10-01T00:00:02.000Z'),
  endedAt: moment('When it finished or was given up.', '2026-10-01T00:00:03.000Z'),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The latest error, without values; the log says more.',
    examples: ['PostgresError 57014: canceling statement due to statement timeout'],
  }),
});
export type BackgroundJob = Static<typeof BackgroundJob>;

export const JobList = namedObject('JobList', {
  ...pageHead(),
  data: Type.Array(BackgroundJob),
  schedules: Type.Array(
    namedObject('JobSchedule', {
      name: Type.String({ description: 'The name of the jobs that it creates.', examples: ['billing-schedule'] }),
      cron: Type.String({ examples: ['*/15 * * * *'] }),
      timezone: Type.String({ examples: ['UTC'] }),
      nextAt: moment('When it creates the next job.', '2026-10-01T00:15:00.000Z'),
    }),
    { description: 'The schedules that create jobs, by name; the same on every page.' },
  ),
});
export type JobList = Static<typeof JobList>;
