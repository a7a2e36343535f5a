import type { AnyRouter } from '@tanstack/react-router';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Loads a new deployment at the next change of page: the page at this address names other scripts than those that run. A script that is
 * gone, because the deployment that had it was replaced, has the same effect at once.
 */
export function followDeployments(router: AnyRouter): void {
  let checkedAtMs = Date.now();
  let isOutdated = false;
  addEventListener('vite:preloadError', (event) => {
    event.preventDefault();
    location.reload();
  });
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

async function namesOtherScripts(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null);
  return answer?.ok === true && script != null && !(await answer.text()).includes(script);
}
