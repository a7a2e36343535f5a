import type { TString } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { type CsvRow, writeCsvFile } from '../platform/http/limits/csv-file.ts';
import type { JsonParts } from '../platform/http/schema/json.ts';
import { selectMailPage } from './mail.operator.queries.ts';
import { type Reader, readFilter } from './mail.operator.ts';
import type { MailFileQuery } from './mail.schema.ts';

const ROWS_AT_ONCE = 500;
const COLUMNS = [
  ...['createdAt', 'id', 'companyId', 'companyExternalId', 'companyName', 'invoiceId', 'type', 'to', 'language'],
  ...['subject', 'status', 'attachments', 'resendOf', 'sentAt'],
];

type Line = CsvRow & { id: string };

/** All matching mails that the caller may read as a CSV file in parts, newest first. @throws ApiError 400 */
export function writeMails(
  db: Queryable,
  query: MailFileQuery,
  { externalIds, ...reader }: Reader & { externalIds: ExternalIds },
): JsonParts<TString> {
  const filter = readFilter(query, reader);
  const readAfter = async (last: Line | null): Promise<Line[]> => {
    const mails = await selectMailPage(db, filter, { limit: ROWS_AT_ONCE, offset: 0, after: last?.id ?? null });
    return mails.map(({ to, attachments, createdAt, sentAt, ...mail }) => ({
      ...mail,
      to: to.join(', '),
      attachments: attachments.map(({ name }) => name).join(', '),
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    }));
  };
  return writeCsvFile({ columns: COLUMNS, readAfter, externalIds });
}
