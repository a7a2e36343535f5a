/** Payments that wait for their customer, and debits on their way: which runs are behaviours of the model. */
import { describe, expect, it } from 'vitest';
import { charged, expectRefusedAt, type record, refusal } from './written-runs.ts';

/** A charge that the bank wants confirmed. */
function waiting(options = {}) {
  const recorded = charged(options);
  recorded.first.confirm('o1', 'requires_action');
  recorded.first.end('await customer', 'o1');
  return recorded;
}

/** A debit that is on its way. */
function onItsWay(options = {}) {
  const recorded = charged(options);
  recorded.first.confirm('o1', 'processing');
  recorded.first.end('await bank', 'o1');
  return recorded;
}

const LOST = { isLost: true };

type Run = ReturnType<ReturnType<typeof record>['run']>;

/** The question before the payment fails, and its failure. */
function fail({ ask, end }: Run): void {
  ask(['o1', 'canceled', 1]);
  end('fail', 'o1');
}

function chargeAgain({ intent, ask, create, record: t2, confirm, end }: Run): void {
  intent();
  ask(['o1', 'canceled', 1]);
  create('o2', 2);
  t2('o2');
  confirm('o2', 'captured');
  end('T3', 'o2');
}

describe('a payment that waits for its customer', () => {
  it('is looked at, and paid once they have confirmed it', () => {
    const { lines, run } = waiting();
    const reconciler = run(2, 'p1');
    reconciler.find('o1', 'requires_action');
    reconciler.find('o1', 'captured');
    reconciler.end('T3', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('is canceled and fails when they refuse, and when its time has passed', () => {
    const [refused, expired] = [waiting(), waiting()];
    const [first, second] = [refused.run(2, 'p1'), expired.run(2, 'p1')];
    first.find('o1', 'declined');
    second.find('o1', 'requires_action');
    for (const one of [first, second]) {
      one.cancel('o1');
      fail(one);
    }
    for (const { lines } of [refused, expired]) expect(refusal(lines)).toBe('');
  });

  it('is canceled before another card is charged, whose request has found it', () => {
    const { lines, run } = waiting();
    const [other, first] = [run(2, 'p2'), run(2, 'p1')];
    other.begin({ step: 'T1' });
    first.cancel('o1');
    fail(first);
    chargeAgain(run(2, 'p3'));
    expect(refusal(lines)).toBe('');
  });

  it('counts when it was captured meanwhile', () => {
    const { lines, run } = waiting();
    const other = run(2, 'p1');
    other.cancel('o1', 'captured');
    other.end('T3', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('whose look has no answer stays as it is, and is looked at again', () => {
    const { lines, run } = waiting();
    const reconciler = run(2, 'p1');
    reconciler.begin({ step: 'find', object: 'o1' })({ error: 'outcome_unknown' });
    reconciler.find('o1', 'captured');
    reconciler.end('T3', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('and which a restored database lacks is canceled at the gateway', () => {
    const { lines, run, world } = waiting(LOST);
    world('restore');
    world('hold begins');
    run(2, 'p1').adoptCancel('o1', 'canceled');
    world('hold ends');
    chargeAgain(run(1, 'p2'));
    expect(refusal(lines)).toBe('');
  });

  it('may not fail without being canceled', () => {
    const { lines, run } = waiting();
    const reconciler = run(2, 'p1');
    reconciler.find('o1', 'requires_action');
    reconciler.ask(['o1', 'requires_action', 1]);
    reconciler.end('fail', 'o1');
    expectRefusedAt(lines, 'fail begins');
  });

  it('may not fail by the clock alone', () => {
    const { lines, run } = waiting();
    run(2, 'p1').end('fail', 'o1');
    expectRefusedAt(lines, 'fail begins');
  });

  it('may not be confirmed again', () => {
    const { lines, run } = waiting();
    const reconciler = run(2, 'p1');
    reconciler.find('o1', 'requires_action');
    reconciler.confirm('o1', 'captured');
    expectRefusedAt(lines, 'confirm begins');
  });

  it('stops another intent', () => {
    const { lines, run } = waiting();
    run(2, 'p2').intent();
    expectRefusedAt(lines, 'T1 ends');
  });

  it('may not be left open by who asks for the debt', () => {
    const { lines, run, world } = waiting(LOST);
    world('restore');
    const { intent, ask, create } = run(1, 'p2');
    intent();
    ask(['o1', 'requires_action', 1]);
    create('o2', 2);
    expectRefusedAt(lines, 'create begins');
  });

  it('may not be missing when the hold ends', () => {
    const { lines, world } = waiting(LOST);
    world('restore');
    world('hold begins');
    world('hold ends');
    expectRefusedAt(lines, 'hold ends ends');
  });
});

describe('a debit on its way', () => {
  it('settles or comes back', () => {
    const [settled, back] = [onItsWay(), onItsWay()];
    const [first, second] = [settled.run(2, 'p1'), back.run(2, 'p1')];
    first.find('o1', 'processing');
    first.find('o1', 'captured');
    first.end('T3', 'o1');
    second.find('o1', 'declined');
    second.cancel('o1');
    fail(second);
    for (const { lines } of [settled, back]) expect(refusal(lines)).toBe('');
  });

  it('stops a charge of a database that has lost it, which goes on once the debit has ended', () => {
    const { lines, run, world } = onItsWay(LOST);
    world('restore');
    const second = run(1, 'p2');
    second.intent();
    second.ask(['o1', 'processing', 1]);
    second.ask(['o1', 'captured', 1]);
    second.end('adopt', 'o1');
    expect(refusal(lines)).toBe('');
  });

  it('and which a restored database lacks runs again, although it may have ended since', () => {
    for (const outcome of ['processing', 'captured']) {
      const { lines, run, world } = onItsWay(LOST);
      world('restore');
      world('hold begins');
      run(2, 'p1').adoptDebit('o1');
      world('hold ends');
      const reconciler = run(1, 'p1');
      reconciler.find('o1', outcome);
      if (outcome === 'processing') reconciler.find('o1', 'captured');
      reconciler.end('T3', 'o1');
      expect(refusal(lines)).toBe('');
    }
  });

  it('may not be passed over', () => {
    const { lines, run, world } = onItsWay(LOST);
    world('restore');
    const { intent, ask, create } = run(1, 'p2');
    intent();
    ask(['o1', 'processing', 1]);
    create('o2', 2);
    expectRefusedAt(lines, 'create begins');
  });

  it('may not be taken for canceled', () => {
    const { lines, run } = onItsWay();
    run(2, 'p1').cancel('o1', 'processing');
    expectRefusedAt(lines, 'cancel begins');
  });

  it('may not be missing when the hold ends', () => {
    const { lines, world } = onItsWay(LOST);
    world('restore');
    world('hold begins');
    world('hold ends');
    expectRefusedAt(lines, 'hold ends ends');
  });

  it('runs again only while charges are held', () => {
    const { lines, run, world } = onItsWay(LOST);
    world('restore');
    run(2, 'p1').adoptDebit('o1');
    expectRefusedAt(lines, 'adopt: debit ends');
  });
});
