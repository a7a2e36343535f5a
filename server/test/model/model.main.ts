/**
 * Checks the models of the charge and of what a restore does to it: `npm run model`. Prints a table, and for each rule that is left out
 * the shortest way to the failure that it prevents. `npm run model -- charge-x` checks the configurations whose names begin so; `--brief`
 * leaves the traces out. Fails when a configuration does not end as it has to.
 */
import { parseArgs } from 'node:util';
import { describeTrace, isAsExpected, run, tableOf } from './checker/report.ts';
import { CONFIGURATIONS } from './configurations.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { brief: { type: 'boolean' } } });
const wanted = CONFIGURATIONS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.startsWith(part)),
);
const reports = wanted.map((configuration) => {
  const report = run(configuration);
  if (report.result.failure !== null && !values.brief) {
    const { property, trace } = report.result.failure;
    console.log(`${report.name} (${report.about}): ${property} fails\n${describeTrace(trace).join('\n')}\n`);
  }
  return report;
});
console.log(tableOf(reports));
const unexpected = reports.filter((report) => !isAsExpected(report));
for (const { name, fails } of unexpected) console.error(`${name} must ${fails === null ? 'hold' : `break ${fails}`}.`);
if (unexpected.length > 0 || wanted.length === 0) process.exitCode = 1;
