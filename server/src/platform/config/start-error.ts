/** Why Paydesk can't start on this machine as it is set up. The message is meant for the person at the terminal. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Waits for a step whose errors, other than mistakes in the code, are written for that person. @throws StartError */
export async function explained<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
