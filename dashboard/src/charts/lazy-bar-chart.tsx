import { lazy } from 'react';

/** The chart, whose library is loaded and run once the page around it is painted. A page that shows it has a place of its height. */
export const LazyBarChart = lazy(async () => {
  await nextPaint();
  const { BarChart } = await import('./bar-chart.tsx');
  return { default: BarChart };
});

/** A frame's callback runs before its paint, and the timer's after it. A hidden page paints nothing, and waits for nothing. */
function nextPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
