import { writeFileSync } from 'node:fs';

/**
 * Keeps the memory of this process, through which card numbers pass, out of what a crash leaves on the disk: no diagnostic
 * reports, whatever the options of Node say, and on Linux no memory in a core dump, ours or PostgreSQL's, which inherits it.
 * Elsewhere the limit of the shell stands for it: `ulimit -c 0`.
 */
export function disableCoreDumps(): void {
  process.report.reportOnFatalError = false;
  process.report.reportOnSignal = false;
  process.report.reportOnUncaughtException = false;
  if (process.platform !== 'linux') return;
  try {
    // No kind of memory is to be dumped (core(5)); the limit of the core's size can't be set from here.
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // A kernel without core dumps has no such file.
  }
}
