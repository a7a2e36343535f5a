import { describe, expect, it } from 'vitest';
import { charged, expectRefusedAt, record, refusal } from './written-runs.ts';

describe('a behaviour of the model is accepted', () => {
  it('a charge', () => {
    const { lines, first } = charged();
    first.confirm('o1', 'captured');
    first.end('T3', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('a decline, and the next attempt with the next number', () => {
    const { lines, run, first } = charged();
    first.confirm('o1', 'declined');
    first.cancel('o1');
    first.ask(['o1', 'canceled', 1]);
    first.end('fail', 'o1');
    const next = run(1, 'p2');
    next.intent();
    next.ask(['o1', 'canceled', 1]);
    next.create('o2', 2);
    next.record('o2');
    next.confirm('o2', 'captured');
    next.end('T3', 'o2');
    expect(refusal(lines)).toBe('');
  });

  it('the question is asked while T1 commits', () => {
    const { lines, run } = record();
    const { begin, create, record: t2 } = run(1, 'p1');
    const committed = begin({ step: 'T1' });
    const answered = begin({ step: 'ask' });
    answered({ found: [] });
    committed();
    create('o1', 1);
    t2('o1');
    expect(refusal(lines)).toBe('');
  });

  it('a lost answer to the create: a reconciler cancels the object and makes the next one', () => {
    const { lines, run } = record();
    const sender = run(1, 'p1');
    sender.intent();
    sender.ask();
    sender.begin({ step: 'create', sequence: 1 })({ error: 'outcome_unknown' });
    const reconciler = run(2, 'p1');
    reconciler.ask(['o1', 'created', 1]);
    reconciler.cancel('o1');
    reconciler.ask(['o1', 'canceled', 1]);
    reconciler.create('o2', 2);
    reconciler.record('o2');
    expect(refusal(lines)).toBe('');
  });

  it('a confirmation that nobody heard of again is found', () => {
    const { lines, run, first } = charged();
    first.begin({ step: 'confirm', object: 'o1' });
    const reconciler = run(2, 'p1');
    reconciler.find('o1', 'captured');
    reconciler.end('T3', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('a capture that a restored database lacks is adopted', () => {
    const { lines, run, world, first } = charged();
    const before = lines.splice(0);
    const { lines: all } = { lines };
    world('backup');
    all.push(...before);
    first.confirm('o1', 'captured');
    first.end('T3', 'o1');
    world('restore');
    const again = run(2, 'p2');
    again.intent();
    again.ask(['o1', 'captured', 1]);
    again.end('adopt', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('nothing was sent: the request withdraws its payment', () => {
    const { lines, run } = record();
    const sender = run(1, 'p1');
    sender.intent();
    sender.begin({ step: 'ask' })({ error: 'not_sent' });
    sender.end('withdraw');
    run(1, 'p2').intent();
    expect(refusal(lines)).toBe('');
  });
});

describe('what is no behaviour of the model is refused', () => {
  it('an object that is created without asking', () => {
    const { lines, run } = record();
    const { intent, create } = run(1, 'p1');
    intent();
    create('o1', 1);
    expectRefusedAt(lines, 'create begins');
  });

  it('a number that is used again', () => {
    const { lines, run, first } = charged();
    first.confirm('o1', 'declined');
    first.cancel('o1');
    first.ask(['o1', 'canceled', 1]);
    first.end('fail', 'o1');
    const next = run(1, 'p2');
    next.intent();
    next.ask(['o1', 'canceled', 1]);
    next.create('o2', 1);
    expectRefusedAt(lines, 'create begins (payment p2, sequence 1)');
  });

  it('a confirmation without T2', () => {
    const { lines, run } = record();
    const { intent, ask, create, confirm } = run(1, 'p1');
    intent();
    ask();
    create('o1', 1);
    confirm('o1', 'captured');
    expectRefusedAt(lines, 'confirm begins');
  });

  it('a confirmation although T2 recorded nothing', () => {
    const { lines, run } = record();
    const { intent, ask, create, record: t2, confirm } = run(1, 'p1');
    intent();
    ask();
    create('o1', 1);
    t2('o1', false);
    confirm('o1', 'captured');
    expectRefusedAt(lines, 'T2 ends');
  });

  it('a payment that fails without asking', () => {
    const { lines, first } = charged();
    first.confirm('o1', 'declined');
    first.cancel('o1');
    first.end('fail', 'o1');
    expectRefusedAt(lines, 'fail begins');
  });

  it('a payment that fails although its object was not canceled', () => {
    const { lines, first } = charged();
    first.confirm('o1', 'declined');
    first.ask(['o1', 'declined', 1]);
    first.end('fail', 'o1');
    expectRefusedAt(lines, 'fail begins');
  });

  it('a capture that is passed over', () => {
    const { lines, run, first } = charged();
    first.confirm('o1', 'captured');
    const other = run(2, 'p1');
    other.ask(['o1', 'captured', 1]);
    other.create('o2', 2);
    expectRefusedAt(lines, 'create begins');
  });

  it('an open object that is left open', () => {
    const { lines, run } = record();
    const { intent, ask, create } = run(1, 'p1');
    intent();
    ask(['o1', 'created', 1]);
    create('o2', 2);
    expect(refusal(lines)).not.toBe('');
  });

  it('a second live payment', () => {
    const { lines, run } = charged();
    run(2, 'p2').intent();
    expectRefusedAt(lines, 'T1 ends');
  });

  it('a capture that nobody has asked for', () => {
    const { lines, run, first } = charged();
    first.begin({ step: 'T3', object: 'o1' });
    run(2, 'p1');
    expectRefusedAt(lines, 'T3 begins');
  });
});

/** A charge up to its confirmation, and then the database goes back to before it and is held. */
function lost(outcome: 'captured' | 'no answer') {
  const { lines, run, world } = record();
  world('backup');
  const first = run(1, 'p1');
  first.intent();
  first.ask();
  first.create('o1', 1);
  first.record('o1');
  if (outcome === 'captured') first.confirm('o1', 'captured');
  world('restore');
  world('hold begins');
  return { lines, run, world, recovery: run(2, 'p1') };
}

describe('bringing the database together', () => {
  it('books captures and cancels what is open, before the hold ends', () => {
    const [captured, open] = [lost('captured'), lost('no answer')];
    captured.recovery.adoptCapture('o1', 'captured');
    open.recovery.adoptCancel('o1', 'canceled');
    for (const { lines, run, world } of [captured, open]) {
      world('hold ends');
      if (lines === open.lines) run(1, 'p2').intent();
      expect(refusal(lines)).toBe('');
    }
  });

  it('PayPal: a canceled order that the books know no more is shown only after a conflict', () => {
    const { lines, run, world } = record();
    world('backup');
    const first = run(1, 'p1');
    first.intent();
    first.ask();
    first.create('o1', 1);
    first.record('o1');
    first.confirm('o1', 'declined');
    first.cancel('o1');
    first.ask(['o1', 'canceled', 1]);
    first.end('fail', 'o1');
    world('restore');
    const next = run(1, 'p2');
    next.intent();
    next.ask();
    next.begin({ step: 'create', sequence: 1 })({ error: 'conflict' });
    next.ask(['o1', 'canceled', 1]);
    next.create('o2', 2);
    next.record('o2');
    next.confirm('o2', 'declined');
    next.cancel('o2');
    next.ask(['o2', 'canceled', 2]);
    next.end('fail', 'o2');
    expect(refusal(lines, { searchLags: true, capturesOnce: true })).toBe('');
  });

  it('PayPal: a payment that begins anew gets its order and its decline again, as long as their keys are kept', () => {
    const { lines, run, world } = record();
    const first = run(1, 'p1');
    first.intent();
    first.ask();
    world('backup');
    first.create('o1', 1);
    first.record('o1');
    first.confirm('o1', 'declined');
    first.cancel('o1');
    first.ask(['o1', 'canceled', 1]);
    first.end('fail', 'o1');
    world('restore');
    const again = run(2, 'p1');
    again.ask();
    again.create('o1', 1);
    again.record('o1');
    again.confirm('o1', 'declined');
    again.cancel('o1');
    again.ask(['o1', 'canceled', 1]);
    again.end('fail', 'o1');
    expect(refusal(lines, { searchLags: true, capturesOnce: true })).toBe('');
  });

  it('and may leave a capture to a person, who decides what follows', () => {
    const { lines, run, world, recovery } = lost('captured');
    recovery.adoptCapture('o1', 'person');
    world('hold ends');
    run(1, 'p2').intent();
    expect(refusal(lines)).toBe('');
  });

  it('may be killed before it says so; without a person, nothing more is charged then', () => {
    for (const isResolved of [true, false]) {
      const { lines, run, world, recovery } = lost('captured');
      recovery.begin({ step: 'adopt: capture', object: 'o1', sequence: 1 });
      world('hold ends');
      if (isResolved) run(3, 'p1').begin({ step: 'resolve' })({});
      run(3, 'p2').intent();
      if (isResolved) expect(refusal(lines)).toBe('');
      else expectRefusedAt(lines, 'T1 ends');
    }
  });

  it('is not over while a capture is missing, or an object open', () => {
    for (const { lines, world } of [lost('captured'), lost('no answer')]) {
      world('hold ends');
      expectRefusedAt(lines, 'hold ends ends');
    }
  });

  it('books nothing that was not captured', () => {
    const { lines, recovery } = lost('no answer');
    recovery.adoptCapture('o1', 'captured');
    expectRefusedAt(lines, 'adopt: capture ends');
  });

  it('cancels nothing that was captured', () => {
    const { lines, recovery } = lost('captured');
    recovery.adoptCancel('o1', 'canceled');
    expectRefusedAt(lines, 'adopt: cancel ends');
  });

  it('is done during the hold only, and nobody charges meanwhile', () => {
    const [early, charging] = [lost('captured'), lost('captured')];
    early.recovery.adoptCapture('o1', 'captured');
    early.world('hold ends');
    early.recovery.adoptCapture('o1', 'captured');
    expectRefusedAt(early.lines, 'adopt: capture ends');
    charging.run(1, 'p2').intent();
    expectRefusedAt(charging.lines, 'T1 ends');
  });
});

const OLD = 0;
const COPY = 1;

/** A copy of the database is served beside it, and holds charges. A process of each may charge. */
function doubled() {
  const { lines, run, world } = record();
  world('copy');
  world('hold begins', COPY);
  return { lines, world, old: run(1, 'p1', OLD), copy: run(2, 'p2', COPY) };
}

type Run = ReturnType<typeof doubled>['old'];

function capture({ intent, ask, create, record: t2, confirm, end }: Run): void {
  intent();
  ask();
  create('o1', 1);
  t2('o1');
  confirm('o1', 'captured');
  end('T3', 'o1');
}

describe('two databases beside each other', () => {
  it('the copy holds charges, and the old primary goes on', () => {
    const { lines, old } = doubled();
    capture(old);
    expect(refusal(lines)).toBe('');
  });

  it('the copy gets what the old primary has captured, and charges what nobody has', () => {
    const [captured, untouched] = [doubled(), doubled()];
    capture(captured.old);
    captured.copy.adoptCapture('o1', 'captured');
    captured.world('hold ends', COPY);
    untouched.world('hold ends', COPY);
    capture(untouched.copy);
    untouched.world('hold begins', OLD);
    for (const { lines } of [captured, untouched]) expect(refusal(lines)).toBe('');
  });

  it('the copy cancels what the old primary has left open, which then captures nothing', () => {
    const { lines, world, old, copy } = doubled();
    old.intent();
    old.ask();
    old.create('o1', 1);
    copy.adoptCancel('o1', 'canceled');
    world('hold ends', COPY);
    old.record('o1');
    old.confirm('o1', 'canceled');
    expect(refusal(lines)).toBe('');
  });

  it('while the copy is not noticed, both charge: at the same time they use one key, and later the copy finds the capture', () => {
    const [atOnce, later] = [record(), record()];
    for (const { world } of [atOnce, later]) world('copy');
    const [old, second] = [atOnce.run(1, 'p1', OLD), atOnce.run(2, 'p2', COPY)];
    for (const { intent } of [old, second]) intent();
    for (const { ask } of [old, second]) ask();
    old.create('o1', 1);
    second.begin({ step: 'create', sequence: 1 })({ error: 'conflict' });
    old.record('o1');
    old.confirm('o1', 'captured');
    old.end('T3', 'o1');
    capture(later.run(1, 'p1', OLD));
    const copy = later.run(2, 'p2', COPY);
    copy.intent();
    for (const { ask, end } of [second, copy]) {
      ask(['o1', 'captured', 1]);
      end('adopt', 'o1');
    }
    for (const { lines } of [atOnce, later]) expect(refusal(lines)).toBe('');
  });

  it('the object of another payment is refused', () => {
    const { lines, world, run } = record();
    world('copy');
    const both = [run(1, 'p1', OLD), run(2, 'p2', COPY)];
    for (const { intent } of both) intent();
    for (const { ask } of both) ask();
    for (const { create } of both) create('o1', 1);
    expectRefusedAt(lines, 'process 2 of the copy: create ends');
  });

  it('a charge of the copy under its hold is refused', () => {
    const { lines, copy } = doubled();
    copy.intent();
    expectRefusedAt(lines, 'process 2 of the copy: T1 ends');
  });

  it('so is one of the old primary under its own', () => {
    const { lines, world, old } = doubled();
    world('hold begins', OLD);
    old.intent();
    expectRefusedAt(lines, 'process 1: T1 ends');
  });

  it('a payment that only the other one has is taken up by nobody', () => {
    const { lines, old, copy } = doubled();
    old.intent();
    copy.begin({ step: 'ask', payment: 'p1' })({ found: [] });
    expectRefusedAt(lines, 'process 2 of the copy: ask begins');
  });

  it('the hold of the copy does not end while it lacks a capture of the old primary', () => {
    const { lines, world, old } = doubled();
    capture(old);
    world('hold ends', COPY);
    expectRefusedAt(lines, 'of the copy: hold ends ends');
  });

  it('the capture is adopted by the one that holds charges', () => {
    const { lines, old } = doubled();
    capture(old);
    old.adoptCapture('o1', 'captured');
    expectRefusedAt(lines, 'process 1: adopt: capture ends');
  });

  it('once the copy has charged, the old primary holds charges ever after', () => {
    const [unnoticed, ended] = [doubled(), doubled()];
    for (const { world, copy } of [unnoticed, ended]) {
      world('hold ends', COPY);
      capture(copy);
    }
    ended.world('hold begins', OLD);
    ended.world('hold ends', OLD);
    expect(refusal(unnoticed.lines)).toContain('not settled');
    expectRefusedAt(ended.lines, 'process 0: hold ends ends');
  });
});
