import type { Metric, Registry } from 'prom-client';
import type { AnswerObserver } from '../server/answers.ts';

const NAME = 'paydesk_http_request_duration_seconds';
const HELP = 'Time from the first byte of a request to the last byte of its answer.';
/** The upper bounds of the buckets, in seconds. */
const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = { method: string; route: string; status: number };
/** `counts` has one entry more than there are bounds, for durations above all of them. */
type Series = { labels: Labels; counts: number[]; sumSeconds: number; count: number };

/**
 * The histogram of request durations, by method, route and status. prom-client's own sorts and joins the labels for
 * each request, which costs as much as routing it; this one is in its registry like any other.
 */
export function createDurations(registry: Registry): AnswerObserver {
  const all = new Map<string, Series>();
  const metric = {
    name: NAME,
    get: async () => ({ name: NAME, help: HELP, type: 'histogram', values: [...all.values()].flatMap(toValues) }),
    reset: () => all.clear(),
  };
  registry.registerMetric(metric as unknown as Metric);
  return ({ request: { method }, reply: { statusCode: status }, route, durationMs }) => {
    const key = `${method} ${status} ${route}`;
    let series = all.get(key);
    if (series === undefined) {
      series = {
        labels: { method, route, status },
        counts: Array(BOUNDS_SECONDS.length + 1).fill(0),
        sumSeconds: 0,
        count: 0,
      };
      all.set(key, series);
    }
    const seconds = durationMs / 1000;
    let index = 0;
    while (seconds > (BOUNDS_SECONDS[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.sumSeconds += seconds;
    series.count += 1;
  };
}

/** As Prometheus expects: each bucket includes those below it. */
function toValues({ labels, counts, sumSeconds, count }: Series) {
  let below = 0;
  const buckets = counts.map((within, index) => {
    below += within;
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS_SECONDS[index] ?? '+Inf', ...labels }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
