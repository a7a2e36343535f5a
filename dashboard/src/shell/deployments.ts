import type { AnyRouter } from '@tanstack/react-router';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Loads a new deployment at the next change of page: the page at this address names other scripts than those that run. A page whose script
 * can't be loaded, because its deployment was replaced or the connection is lost, becomes an `ErrorPage`.
 */
export function followDeployments(router: AnyRouter): void {
  let checkedAtMs = Date.now();
  let isOutdated = false;
  // Otherwise the router would load the page again at once, and without a connection the browser has nothing to show.
  addEventListener('vite:preloadError', (event) => event.preventDefault());
  router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
    if (!pathChanged) return;
    if (isOutdated) location.assign(toLocation.href);
    if (Date.now() - checkedAtMs < CHECK_INTERVAL_MS) return;
    checkedAtMs = Date.now();
    void namesOtherScripts().then((other) => {
      isOutdated = other;
    });
  });
}

/** Loads the page again if the service has a new deployment, and otherwise leaves it as it is. */
export async function loadNewDeployment(): Promise<void> {
  if (await namesOtherScripts()) location.reload();
}

/** Loads the page again if the service can be reached, and otherwise leaves it as it is. */
export async function reload(): Promise<void> {
  if ((await readPage()) !== null) location.reload();
}

async function namesOtherScripts(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  const page = await readPage();
  return page !== null && script != null && !page.includes(script);
}

/** The page at this address as the service has it now; null without an answer. */
async function readPage(): Promise<string | null> {
  try {
    const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
