import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { createCountCache } from '../database/count-cache.ts';
import { type Queryable, violatedConstraint } from '../database/database.ts';
import { ApiError, notFound } from '../errors.ts';
import {
  countMatches,
  deleteLabels,
  insertLabel,
  type LabelChanges,
  type LabelRow,
  selectLabel,
  selectLabelPage,
  updateLabel,
} from './labels.queries.ts';
import type { CreateLabelBody, LabelQuery } from './labels.schema.ts';

const matchCounts = createCountCache();

/** @throws ApiError label_name_taken */
export async function createLabel(
  db: Queryable,
  companyId: string,
  userId: string,
  body: CreateLabelBody,
): Promise<LabelRow> {
  return insertLabel(db, companyId, { ...body, id: uuidv7(), userId }).catch(refuseTakenName);
}

/** @throws ApiError not_found */
export async function readLabel(db: Queryable, companyId: string, labelId: string): Promise<LabelRow> {
  return (await selectLabel(db, companyId, labelId)) ?? refuseUnknown();
}

/** Writes the given fields; `userName` becomes updatedBy. @throws ApiError not_found or label_name_taken */
export async function changeLabel(
  db: Queryable,
  companyId: string,
  labelId: string,
  changes: LabelChanges,
): Promise<LabelRow> {
  return (await updateLabel(db, companyId, labelId, changes).catch(refuseTakenName)) ?? refuseUnknown();
}

/** Deletes the company's labels among the ids; any other id is passed over. */
export async function removeLabels(db: Queryable, companyId: string, labelIds: string[]): Promise<void> {
  await deleteLabels(db, companyId, labelIds.filter(isUuid));
}

/** A page of labels with the exact total, as JSON text. */
export async function listLabels(db: Queryable, companyId: string, query: LabelQuery): Promise<string> {
  const { current_page: currentPage, per_page: perPage, name: search } = query;
  const page = await selectLabelPage(db, companyId, {
    orderBy: query.order_by,
    descending: query.sort_by.toUpperCase() === 'DESC',
    limit: perPage,
    offset: (currentPage - 1) * perPage,
    search,
  });
  const total =
    search === ''
      ? Number(page.labels)
      : await matchCounts.find(`${companyId} ${search}`, page.changes, async () => {
          const { matches, changes } = await countMatches(db, companyId, search);
          return { count: matches, changes };
        });
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  return `{"current_page":${currentPage},"per_page":${perPage},"last_page":${lastPage},"total":${total},"data":${page.data}}`;
}

function refuseUnknown(): never {
  throw notFound('label');
}

function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'labels_name_taken') throw error;
  throw new ApiError('label_name_taken', 'The company has a label of this name.', {
    details: [{ field: 'name', message: 'is taken' }],
  });
}
