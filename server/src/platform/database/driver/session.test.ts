/** What a new connection tells about its server. */
import { expect, it, vi } from 'vitest';
import { createSession } from './session.ts';

it('a connection to another primary than before is reported, but not one to the same primary or to a standby', () => {
  const watch = { hasMarks: () => null, onMissing: vi.fn(), onOtherServer: vi.fn() };
  const { begin } = createSession({ settings: {}, wantsPrimary: false, watch: () => watch });
  const connect = (server: string, standby = false) => {
    const [set, read] = begin();
    const [, mark] = /set_config\('paydesk.session', '(\w+)'/.exec(set?.text ?? '') ?? [];
    return read?.judge([{ role: 'paydesk', mark, standby, readOnly: 'off', server }], false);
  };
  for (const server of ['first', 'first']) expect(connect(server)).toEqual({ error: null, isReadOnly: false });
  expect(connect('standby', true)).toEqual({ error: null, isReadOnly: true });
  expect(connect('first')).toEqual({ error: null, isReadOnly: false });
  expect(watch.onOtherServer).not.toHaveBeenCalled();
  connect('second');
  expect(watch.onOtherServer).toHaveBeenCalledTimes(1);
  connect('second');
  expect(watch.onOtherServer).toHaveBeenCalledTimes(1);
  expect(watch.onMissing).not.toHaveBeenCalled();
});
