import { socketPort } from '../files/socket-directory.ts';

/** How the server of the cluster is started. `settings` adds to the package's settings or replaces them. */
export type ServerPlan = {
  clusterDirectory: string;
  clusterName: string;
  socketDirectory: string;
  settings: Record<string, string>;
};

const durableSettings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', wal_level: 'replica' };

const sizeSettings = { max_connections: '200', shared_buffers: '128MB', jit: 'off' };

/** Neither the text of a statement nor a parameter is logged, because they contain customers' data. */
const logSettings = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_timezone: 'UTC',
};

/** Builds the command line of the server. It overrides the configuration files of the cluster. */
export function serverArguments({ clusterDirectory, clusterName, socketDirectory, settings }: ServerPlan): string[] {
  const all = {
    ...durableSettings,
    ...sizeSettings,
    ...logSettings,
    TimeZone: 'UTC',
    password_encryption: 'scram-sha-256',
    listen_addresses: '',
    port: String(socketPort),
    // PostgreSQL reads a list of directories here. Quoted, a comma belongs to the name.
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    ...settings,
    cluster_name: clusterName,
  };
  return ['-D', clusterDirectory, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
