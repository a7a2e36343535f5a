/**
 * Thrown in the transaction of a route: something has to be done outside of it first, a gateway asked, for example. The transaction is
 * rolled back, the work is done, and the route begins anew.
 */
export class OutsideFirst extends Error {
  readonly work: () => Promise<void>;

  constructor(work: () => Promise<void>) {
    super('something has to be done outside of the transaction first');
    this.name = 'OutsideFirst';
    this.work = work;
  }
}

/** Does what attempts ask for, until one asks for nothing. */
export async function untilInside<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OutsideFirst)) throw error;
      await error.work();
    }
  }
}
