/**
 * What makes a fresh cluster the application's, for the single-user mode of the server: one statement a line. What goes wrong in a
 * session is told to its client; a message or a detail line in the server's log would carry the data that was refused.
 */
export function statementsOfNewCluster(database: string): string {
  return [
    `CREATE DATABASE ${database};`,
    "ALTER ROLE ALL SET log_min_messages = 'log';",
    "ALTER ROLE ALL SET log_error_verbosity = 'terse';",
    '',
  ].join('\n');
}
