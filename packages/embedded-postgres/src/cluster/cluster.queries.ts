/**
 * Returns the statements that prepare a fresh cluster for the application, one per line, for the server's single-user mode. Errors of a
 * session are reported only to its client, because in the server's log a message or a detail could contain customers' data.
 */
export function statementsOfNewCluster(database: string): string {
  return [
    `CREATE DATABASE ${database};`,
    "ALTER ROLE ALL SET log_min_messages = 'log';",
    "ALTER ROLE ALL SET log_error_verbosity = 'terse';",
    '',
  ].join('\n');
}
