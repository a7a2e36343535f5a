/** Finds companies by the ids that the operator's product has for them, and those ids. */
export type ExternalIds = {
  /**
   * The UUIDs of the companies with these external ids, by external id; without those that nobody has. A new id is found at once, a changed
   * or cleared one for up to a second in other processes.
   */
  find: (externalIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The external ids of these companies, by UUID; without companies that have none. */
  of: (companyIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Called once the external id of a company has changed: this process reads it anew. */
  forget: (companyId: string) => void;
};
