/** Where the embedded server tells what it does; a pino logger is one. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** Says nothing. */
export const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };
