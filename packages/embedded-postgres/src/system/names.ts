/** The names of what belongs to one application on a machine. */
export type Names = {
  /** The bootstrap superuser, who owns everything in the cluster. */
  user: string;
  database: string;
  /** Belongs to root, and every account may pass through. It contains what a server account can't reach in a private folder. */
  sharedDirectory: string;
  /** The beginning of the name with which a server is started and by which its processes are found again. */
  clusterPrefix: string;
};

/** Derives the names from the application's. @throws TypeError if that is not 1 to 31 lower-case letters, digits and underscores */
export function namesOf(application: string): Names {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(application)) {
    throw new TypeError(`application is ${JSON.stringify(application)}, and not 1 to 31 of a-z, 0-9 and _.`);
  }
  return {
    user: `${application}_owner`,
    database: application,
    sharedDirectory: `/var/lib/${application}`,
    clusterPrefix: `${application}-`,
  };
}
