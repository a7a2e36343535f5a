import { Bar, BarChart as Base, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import styles from './bar-chart.module.css';

export type BarChartPoint = { id: string; label: string; axisLabel: string; value: number; valueText: string };

type Props = {
  /** What the chart shows, for whoever can't see it. */
  caption: string;
  points: readonly BarChartPoint[];
  formatAxis: (value: number) => string;
  tableLabel: string;
  labelHeader: string;
  valueHeader: string;
};

/** Quantities over time. The arrow keys move along the bars, and the same figures are in a table that opens below. */
export function BarChart({ caption, points, formatAxis, tableLabel, labelHeader, valueHeader }: Props) {
  return (
    <figure aria-label={caption} className={styles.figure}>
      <div className={styles.chart}>
        <ResponsiveContainer width="100%" height="100%">
          <Base data={[...points]} accessibilityLayer margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--border)" />
            <XAxis
              dataKey="axisLabel"
              tickLine={false}
              axisLine={{ stroke: 'var(--border)' }}
              tick={{ fill: 'var(--text-muted)', fontSize: 12 }}
              minTickGap={24}
            />
            <YAxis
              tickFormatter={formatAxis}
              tickLine={false}
              axisLine={false}
              width={48}
              tick={{ fill: 'var(--text-muted)', fontSize: 12 }}
            />
            <Tooltip cursor={{ fill: 'var(--surface-hover)' }} content={<Shown />} isAnimationActive={false} />
            <Bar
              dataKey="value"
              fill="var(--chart-1)"
              radius={[3, 3, 0, 0]}
              maxBarSize={40}
              isAnimationActive={false}
            />
          </Base>
        </ResponsiveContainer>
      </div>
      <details className={styles.details}>
        <summary>{tableLabel}</summary>
        <table className={styles.table}>
          <caption className={styles.caption}>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{labelHeader}</th>
              <th scope="col">{valueHeader}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ id, label, valueText }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                <td>{valueText}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

type ShownProps = { active?: boolean; payload?: readonly { payload?: BarChartPoint }[] };

function Shown({ active, payload }: ShownProps) {
  const point = payload?.[0]?.payload;
  if (active !== true || point === undefined) return null;
  return (
    <div className={styles.tooltip}>
      <p className={styles.value}>{point.valueText}</p>
      <p>{point.label}</p>
    </div>
  );
}
