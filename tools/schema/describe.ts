import type { Db } from '../../server/src/platform/database/database.ts';

const APPLICATION_ROLE = 'paydesk_application';

/**
 * Describes the schema as SQL text in a stable order: functions, then each table with its columns, constraints, indexes, triggers and
 * grants. What the database's comments say of a function or table stands above it.
 */
export async function describeSchema(owner: Db): Promise<string> {
  const functions = await owner<{ text: string }[]>`
    SELECT concat('-- ' || obj_description(routine.oid, 'pg_proc') || E'\\n', pg_get_functiondef(routine.oid)) AS text
    FROM pg_proc AS routine
    WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = routine.oid AND deptype = 'e')
    ORDER BY proname`;
  const tables = await owner<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;
  const parts = [
    '-- Made by `npm run schema` from the migrations; do not edit.',
    ...functions.map(({ text }) => `${text.trim()};`),
  ];
  for (const { name } of tables) parts.push(await describeTable(owner, name));
  return `${parts.join('\n\n')}\n`;
}

async function describeTable(owner: Db, table: string): Promise<string> {
  const columns = await owner<{ text: string }[]>`
    SELECT concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
             CASE WHEN attcollation <> typcollation THEN 'COLLATE ' || quote_ident(collname) END,
             CASE WHEN attnotnull THEN 'NOT NULL' END,
             CASE WHEN attgenerated = 's' THEN 'GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED'
                  WHEN attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY'
                  WHEN adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(adbin, adrelid) END) AS text
    FROM pg_attribute
    JOIN pg_type ON pg_type.oid = atttypid
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum`;
  // PostgreSQL 18 also stores NOT NULL as constraints, but the columns already show it.
  const constraints = await owner<{ text: string }[]>`
    SELECT 'CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) AS text
    FROM pg_constraint WHERE conrelid = ${table}::regclass AND contype <> 'n' ORDER BY contype DESC, conname`;
  const indexes = await owner<{ text: string }[]>`
    SELECT pg_get_indexdef(indexrelid) || ';' AS text
    FROM pg_index
    WHERE indrelid = ${table}::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
    ORDER BY 1`;
  const triggers = await owner<{ text: string }[]>`
    SELECT pg_get_triggerdef(oid) || ';' AS text FROM pg_trigger WHERE tgrelid = ${table}::regclass AND NOT tgisinternal ORDER BY tgname`;
  const [partitioning] = await owner<{ text: string | null }[]>`
    SELECT ' PARTITION BY ' || pg_get_partkeydef(${table}::regclass) AS text`;
  const [comment] = await owner<{ text: string | null }[]>`
    SELECT '-- ' || obj_description(${table}::regclass, 'pg_class') AS text`;
  const [grant] = await owner<{ text: string | null }[]>`
    SELECT string_agg(privilege_type, ', ' ORDER BY privilege_type) AS text
    FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = ${table} AND grantee = ${APPLICATION_ROLE}`;
  return [
    ...(comment?.text ? [comment.text] : []),
    `CREATE TABLE ${table} (\n${[...columns, ...constraints].map(({ text }) => `  ${text}`).join(',\n')}\n)${partitioning?.text ?? ''};`,
    ...indexes.map(({ text }) => text),
    ...triggers.map(({ text }) => text),
    ...(grant?.text ? [`GRANT ${grant.text} ON ${table} TO ${APPLICATION_ROLE};`] : []),
  ].join('\n');
}
