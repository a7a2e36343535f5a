import type { Static } from 'typebox';
import { companyIdsOrNull } from '../http/company-ids/company-id.ts';
import { namedObject } from '../http/schema/named.ts';
import { pageHead, pageQuery } from '../http/schema/pagination.ts';
import { Type } from '../http/schema/type.ts';
import { JOB_STATES } from './jobs.operator.queries.ts';

/** The filters of the list. @param kinds - the kinds of jobs that the features have */
export function jobQuery(kinds: readonly string[]) {
  return Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum(JOB_STATES, { description: 'Only jobs in this state.', examples: ['failing'] })),
    kind: Type.Optional(Type.Enum([...kinds], { description: 'Only jobs of this kind.', examples: ['mails'] })),
  });
}
export type JobQuery = Static<ReturnType<typeof jobQuery>>;

const moment = (description: string, example: string) =>
  Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] });

export const BackgroundJob = namedObject('BackgroundJob', {
  id: Type.String({
    format: 'uuid',
    description: 'The job keeps its id until it is done.',
    examples: ['6f9c1a52-3d0e-8a7b-8a35-d1c5c8c1f0aa'],
  }),
  kind: Type.String({
    description: 'The kind of work, which is also the name of its queue in the metrics.',
    examples: ['mails'],
  }),
  ...companyIdsOrNull('The company that the job is about. Null for a job that is about no company.'),
  record: Type.String({
    description:
      'The record that the job is about, usually by its id: for a collection the invoice, for a usage threshold the company. ' +
      'For a webhook `endpointId/eventId`, for a gateway event `gateway/eventId`, for a schedule its name.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41'],
  }),
  state: Type.Enum(JOB_STATES, {
    description:
      '`due`: a worker is about to do the job. `late`: the job has been due for more than a minute. ' +
      '`running`: a process is doing the job. `failing`: an attempt was in vain, and Paydesk will repeat the job.',
    examples: ['failing'],
  }),
  attempts: Type.Integer({ description: 'How many attempts were in vain so far.', examples: [3] }),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The latest error, without values. The log says more.',
    examples: ['ECONNECTION'],
  }),
  nextAttemptAt: moment('When the next attempt is, or was, due. Null while the job runs.', '2026-10-01T00:15:00.000Z'),
});
export type BackgroundJob = Static<typeof BackgroundJob>;

export const JobList = namedObject('JobList', {
  ...pageHead(),
  data: Type.Array(BackgroundJob),
  schedules: Type.Array(
    namedObject('JobSchedule', {
      name: Type.String({ examples: ['billing-schedule'] }),
      nextAt: Type.Unsafe<Date>({
        type: 'string',
        format: 'date-time',
        description: 'When the work begins next.',
        examples: ['2026-10-01T00:15:00.000Z'],
      }),
      lastRunAt: moment('When the work last succeeded. Null before the first time.', '2026-10-01T00:00:02.000Z'),
    }),
    { description: 'The work that begins at fixed times, by name; the same on every page.' },
  ),
});
export type JobList = Static<typeof JobList>;
