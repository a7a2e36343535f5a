import { Bar, BarChart as Base, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import styles from './bar-chart.module.css';

/** What stands at one place of the axis: a value of each series, and how it is written. */
export type BarChartPoint = {
  id: string;
  label: string;
  axisLabel: string;
  values: readonly number[];
  texts: readonly string[];
};

type Props = {
  /** What the chart shows, for whoever can't see it. */
  caption: string;
  /** The names of the series, at most four. */
  series: readonly string[];
  points: readonly BarChartPoint[];
  formatAxis: (value: number) => string;
  /** The table that opens below; absent where the page shows these figures in a table of its own. */
  table?: { label: string; labelHeader: string };
};

const COLORS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)'] as const;

/** Quantities over time. The arrow keys move along the bars, and the same figures are in a table. */
export function BarChart({ caption, series, points, formatAxis, table }: Props) {
  return (
    <figure aria-label={caption} className={styles.figure}>
      {series.length > 1 ? <Legend series={series} /> : null}
      <div className={styles.chart}>
        <ResponsiveContainer width="100%" height="100%">
          <Base data={[...points]} accessibilityLayer margin={{ top: 8, right: 0, bottom: 0, left: 0 }} barGap={2}>
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
            <Tooltip
              cursor={{ fill: 'var(--surface-hover)' }}
              content={<Shown series={series} />}
              isAnimationActive={false}
            />
            {series.map((name, index) => (
              <Bar
                key={name}
                name={name}
                dataKey={({ values }: BarChartPoint) => values[index]}
                fill={COLORS[index]}
                radius={[3, 3, 0, 0]}
                maxBarSize={40}
                isAnimationActive={false}
              />
            ))}
          </Base>
        </ResponsiveContainer>
      </div>
      {table === undefined ? null : (
        <details className={styles.details}>
          <summary>{table.label}</summary>
          <table className={styles.table}>
            <caption className={styles.caption}>{caption}</caption>
            <thead>
              <tr>
                <th scope="col">{table.labelHeader}</th>
                {series.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ id, label, texts }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  {series.map((name, index) => (
                    <td key={name}>{texts[index]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  );
}

const SWATCHES = [styles.first, styles.second, styles.third, styles.fourth];

function Legend({ series }: { series: readonly string[] }) {
  return (
    <ul className={styles.legend}>
      {series.map((name, index) => (
        <li key={name}>
          <span className={`${styles.swatch} ${SWATCHES[index]}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

type ShownProps = {
  series: readonly string[];
  active?: boolean;
  payload?: readonly { payload?: BarChartPoint }[];
};

function Shown({ series, active, payload }: ShownProps) {
  const point = payload?.[0]?.payload;
  if (active !== true || point === undefined) return null;
  return (
    <div className={styles.tooltip}>
      {series.map((name, index) => (
        <p key={name}>
          <span className={styles.value}>{point.texts[index]}</span> {series.length > 1 ? name : null}
        </p>
      ))}
      <p>{point.label}</p>
    </div>
  );
}
