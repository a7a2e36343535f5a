import { v7 as uuidv7 } from 'uuid';
import type { TestService } from '../harness/service.ts';
import type { Actor } from './actors.ts';

/** Folds a text as the service does for comparison: without case, by Unicode's full case folding, and ı and İ as i. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}

/**
 * Inserts this many labels named `<prefix> 1` and so on, without the API. @returns their ids in ascending order, which is the order of
 * creation
 */
export async function seedLabels(
  { database }: TestService,
  { companyId, userId }: Actor,
  { count, prefix = 'label' }: { count: number; prefix?: string },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await database.owner`
    INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
    SELECT ${companyId}, id::uuid, ${userId}, 'seed', 'seed', ${prefix} || ' ' || number, 'seeded', '#fff'
    FROM string_to_table(${ids.join()}, ',') WITH ORDINALITY AS given (id, number)`;
  return ids;
}
