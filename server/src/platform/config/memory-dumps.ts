import { writeFileSync } from 'node:fs';

/**
 * Keeps the memory of this process, which card numbers pass through, out of dumps on the disk: disables Node's
 * diagnostic reports and, on Linux, memory in core dumps, also for PostgreSQL, which inherits the setting. On other
 * systems set `ulimit -c 0`.
 */
export function disableCoreDumps(): void {
  process.report.reportOnFatalError = false;
  process.report.reportOnSignal = false;
  process.report.reportOnUncaughtException = false;
  if (process.platform !== 'linux') return;
  try {
    // Excludes every kind of memory (core(5)); the core size limit can't be set from here.
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // A kernel without core dumps lacks this file.
  }
}
