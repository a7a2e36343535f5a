/** Why Paydesk can't start with this configuration. The message is for the person at the terminal. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Turns the errors of a step, other than bugs, into messages for that person. @throws StartError */
export async function withStartErrors<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
