import { v7 as uuidv7 } from 'uuid';
import type { TestService } from '../harness/service.ts';
import type { Actor } from './actors.ts';

/** A text as the service compares it: without case, as Unicode folds it in full, and ı and İ as i. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}

/** Writes this many labels named `<prefix> 1` and on, past the API. @returns their ids, ascending, as they were written */
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
