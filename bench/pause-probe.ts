/**
 * Imported by a service under test: tells its parent how long its event loop stood still at most since it was last asked. Counted is the
 * time of the processor that the main thread used between two timers, because a busy machine stops any process for longer.
 */
const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let [before, longestMs] = [used(), 0];

setInterval(() => {
  const now = used();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 1).unref();

process.on('message', () => {
  process.send?.(longestMs);
  longestMs = 0;
});
process.channel?.unref();
