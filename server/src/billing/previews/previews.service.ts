import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { refuseMonthNotOver } from '../runs/runs.service.ts';
import {
  insertPreview,
  type PreviewRow,
  selectPreview,
  selectPreviewInvoices,
  selectUnpricedPathsOfPreview,
  sumPreview,
} from './previews.operator.queries.ts';
import type { BillingPreviewInvoiceQuery } from './previews.schema.ts';

const MAX_UNPRICED_PATHS = 1_000;

/** Begins a preview of what the run of a month would issue now. @throws ApiError period_not_over */
export async function createPreview(tx: Tx, period: string, now: Date) {
  await refuseMonthNotOver(tx, period, now);
  return withSums(tx, await insertPreview(tx, uuidv7(), period));
}

/** Reads the preview's progress and totals. @throws ApiError not_found */
export async function readPreview(db: Queryable, id: string) {
  return withSums(db, (await selectPreview(db, id)) ?? refuseUnknown());
}

async function withSums(db: Queryable, row: PreviewRow) {
  const { totals, outliers } = await sumPreview(db, row.id);
  const unpricedPaths = await selectUnpricedPathsOfPreview(db, row.id, MAX_UNPRICED_PATHS);
  return { ...row, finishedAt: row.finishedAt?.toISOString() ?? null, totals, outliers, unpricedPaths };
}

/** Reads a page of the preview's invoices, by company. @throws ApiError not_found */
export async function listPreviewInvoices(db: Queryable, id: string, query: BillingPreviewInvoiceQuery) {
  if ((await selectPreview(db, id)) === null) refuseUnknown();
  const { total, data } = await selectPreviewInvoices(db, id, query);
  return { total, page: query.page, perPage: query.perPage, data };
}

function refuseUnknown(): never {
  throw notFound('billing preview');
}
