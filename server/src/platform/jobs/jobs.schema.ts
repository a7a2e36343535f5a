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
    description: 'The id of the job. It stays the same until the job is done.',
    examples: ['6f9c1a52-3d0e-8a7b-8a35-d1c5c8c1f0aa'],
  }),
  kind: Type.String({
    description: 'The kind of work, which is also the name of its queue in the metrics.',
    examples: ['mails'],
  }),
  ...companyIdsOrNull('The company that the job is about. Null for a job that is about no company.'),
  record: Type.String({
    description:
      'The id of the record that the job is about. For `collections`, that is the invoice, and for ' +
      '`usage_thresholds` the company. For `webhooks`, the value is `endpointId/eventId`, for `gateway_events` it ' +
      'is `gateway/eventId`, and for `schedules` it is the name of the schedule.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41'],
  }),
  state: Type.Enum(JOB_STATES, {
    description:
      '`due`: a worker is about to do the job. `late`: the job has been due for more than a minute. `running`: a ' +
      'process is doing the job. `failing`: the last attempt failed, and Paydesk will repeat the job.',
    examples: ['failing'],
  }),
  attempts: Type.Integer({ description: 'How many attempts have failed so far.', examples: [3] }),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The message of the latest error, without the values that it contained. Null if no attempt has ' +
      'failed. The log has the whole error.',
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
    {
      description:
        'The schedules: work that begins at fixed times. Every page of the list has all of them, sorted by ' + 'name.',
    },
  ),
});
export type JobList = Static<typeof JobList>;
