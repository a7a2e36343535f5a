/**
 * How long a credential is trusted without asking the database again. Other processes see a change this much later.
 */
const RECHECK_AFTER_MS = 1_000;

/** Who is behind a credential, until when at the latest. */
export type Checked<Principal> = { principal: Principal; expiresAtMs: number };

type Entry<Principal> = {
  checkedAtMs: number;
  checked: Checked<Principal> | Promise<Checked<Principal> | null>;
};

export type RecentChecks<Principal> = {
  /** Who is behind a credential; null when nobody is. Returns without a promise when it was checked within the last second. */
  authenticate: (credential: string) => Principal | null | Promise<Principal | null>;
  /** Called once these have changed: this process asks the database about them from now on, others within a second. */
  forget: (isChanged: (principal: Principal) => boolean) => void;
};

/** Remembers checks of credentials for a second, up to a number of them. A credential of nobody is not remembered. */
export function rememberChecks<Principal>(
  check: (credential: string) => Promise<Checked<Principal> | null>,
  maxEntries: number,
): RecentChecks<Principal> {
  const entries = new Map<string, Entry<Principal>>();

  const ask = (credential: string): Promise<Principal | null> => {
    const checked = check(credential);
    const entry: Entry<Principal> = { checkedAtMs: performance.now(), checked };
    if (entries.size >= maxEntries) entries.clear();
    entries.set(credential, entry);
    const remove = () => {
      if (entries.get(credential) === entry) entries.delete(credential);
    };
    checked.then((found) => {
      if (found === null) remove();
      else entry.checked = found;
    }, remove);
    return checked.then(principalOf);
  };

  return {
    authenticate: (credential) => {
      const entry = entries.get(credential);
      if (entry === undefined || performance.now() - entry.checkedAtMs >= RECHECK_AFTER_MS) return ask(credential);
      return entry.checked instanceof Promise ? entry.checked.then(principalOf) : principalOf(entry.checked);
    },
    forget: (isChanged) => {
      // A check that has not ended may have read what was there before.
      for (const [credential, { checked }] of entries)
        if (checked instanceof Promise || isChanged(checked.principal)) entries.delete(credential);
    },
  };
}

function principalOf<Principal>(checked: Checked<Principal> | null): Principal | null {
  return checked !== null && checked.expiresAtMs > Date.now() ? checked.principal : null;
}
