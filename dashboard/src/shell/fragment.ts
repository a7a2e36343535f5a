/** What a link of a mail or of a product's page carries behind the `#`, where no log and no other site sees it. */
type LinkSecrets = { token: string | null; code: string | null };

const taken: LinkSecrets = { token: null, code: null };

/** Takes the token or the code of the link into the memory of this page, and removes it from the address before anything else happens. */
export function takeFragment(): void {
  const found = new URLSearchParams(location.hash.slice(1));
  taken.token = found.get('token');
  taken.code = found.get('code');
  if (taken.token === null && taken.code === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** A second link that is opened in the same tab changes nothing but the fragment. */
export function followFragment(): void {
  addEventListener('hashchange', () => {
    if (/^#(token|code)=/.test(location.hash)) location.reload();
  });
}

/** Returns what the link of this page carried. */
export function linkSecrets(): Readonly<LinkSecrets> {
  return taken;
}
