import { closeSync, fchmodSync, openSync } from 'node:fs';
import { chmod, copyFile, open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const maximumLogBytes = 10 * 1024 * 1024;
const inspectionIntervalMs = 60_000;
const excerptBytes = 4_096;

/** The log file of the server, to which it writes directly. */
export type ServerLogFile = {
  descriptor: number;
  sizeBytes(): Promise<number>;
  /** Returns the end of what was written since the file had the given size. */
  readSince(offsetBytes: number): Promise<string>;
  close(): void;
};

/**
 * Opens `postgres.log` in the data directory, readable only by its owner. When it exceeds 10 MiB, at the start or later, its text is moved
 * to `postgres.log.1` and it begins empty.
 */
export async function openServerLogFile(dataDirectory: string): Promise<ServerLogFile> {
  const path = join(dataDirectory, 'postgres.log');
  const descriptor = openSync(path, 'a', 0o600); // in append mode, so that the server continues at the new end after a truncation
  fchmodSync(descriptor, 0o600);
  await limitSize(path);
  const inspection = setInterval(() => limitSize(path).catch(() => {}), inspectionIntervalMs);
  inspection.unref();

  return {
    descriptor,
    sizeBytes: async () => (await stat(path)).size,
    readSince: (offsetBytes) => readEnd(path, offsetBytes),
    close() {
      clearInterval(inspection);
      closeSync(descriptor);
    },
  };
}

async function limitSize(path: string): Promise<void> {
  if ((await stat(path)).size <= maximumLogBytes) return;
  await copyFile(path, `${path}.1`);
  await chmod(`${path}.1`, 0o600);
  await truncate(path);
}

async function readEnd(path: string, offsetBytes: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const begin = Math.max(offsetBytes, size - excerptBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(excerptBytes), 0, excerptBytes, begin);
    return buffer.subarray(0, bytesRead).toString('utf8').trim();
  } finally {
    await handle.close();
  }
}
