/** Runs in the page before its own scripts: collects what the browser says of its speed, for `dashboard.ts`. Times are in milliseconds. */
{
  const probe = {
    paintedAt: 0,
    shift: 0,
    /** The longest time from an event to the next paint. */
    longest: 0,
    typedAt: 0,
    /** When the content changed, and when the change was painted. */
    changes: [],
  };
  window.paydeskProbe = probe;
  const observe = (type, read, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', ({ startTime }) => (probe.paintedAt = startTime));
  observe('layout-shift', ({ hadRecentInput, value }) => (probe.shift += hadRecentInput ? 0 : value));
  observe('event', ({ duration }) => (probe.longest = Math.max(probe.longest, duration)), { durationThreshold: 16 });
  document.addEventListener('input', () => (probe.typedAt = performance.now()), true);
  new MutationObserver(() => {
    const change = { at: performance.now(), paintedAt: 0 };
    probe.changes.push(change);
    requestAnimationFrame(() => setTimeout(() => (change.paintedAt = performance.now())));
  }).observe(document, { subtree: true, childList: true, characterData: true });

  const isScript = ({ name }) => new URL(name).pathname.endsWith('.js');
  const isOfApi = ({ initiatorType }) => initiatorType === 'fetch';
  /** Compressed kilobytes of the scripts that had come by then. */
  probe.scripts = (until) =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => isScript(entry) && entry.responseEnd <= until)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1_000;
  /** How long the page itself took from the last letter to the rows: without the answer of the API; null while they are not there. */
  probe.typing = () => {
    const answer = performance
      .getEntriesByType('resource')
      .filter((entry) => isOfApi(entry) && entry.startTime >= probe.typedAt)
      .at(0);
    const change = probe.changes.find(({ at }) => answer !== undefined && at >= answer.responseEnd);
    return change === undefined || change.paintedAt === 0 ? null : change.paintedAt - probe.typedAt - answer.duration;
  };
}
