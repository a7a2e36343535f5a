/** The log of the embedded server, for example a pino logger. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** Logs nothing. */
export const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };
