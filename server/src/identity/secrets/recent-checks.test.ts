import { expect, it } from 'vitest';
import { type Checked, rememberChecks } from './recent-checks.ts';

const forever = Number.POSITIVE_INFINITY;

/** Checks that answer when the test says so. */
function createChecks(maxEntries = 10) {
  const asked: { credential: string; answer: (checked: Checked<string> | null) => void }[] = [];
  const check = (credential: string) =>
    new Promise<Checked<string> | null>((answer) => void asked.push({ credential, answer }));
  return { asked, checks: rememberChecks(check, maxEntries) };
}

it('asks once for requests at the same time, and not again within the second', async () => {
  const { asked, checks } = createChecks();
  const both = [checks.authenticate('a'), checks.authenticate('a')];
  expect(asked.map(({ credential }) => credential)).toEqual(['a']);
  asked[0]?.answer({ principal: 'Ada', expiresAtMs: forever });
  expect(await Promise.all(both)).toEqual(['Ada', 'Ada']);
  expect(checks.authenticate('a')).toBe('Ada');
  expect(asked).toHaveLength(1);
});

it('does not remember an unknown credential, or one that could not be checked', async () => {
  const { asked, checks } = createChecks();
  const nobody = checks.authenticate('a');
  asked[0]?.answer(null);
  expect(await nobody).toBeNull();
  checks.authenticate('a');
  expect(asked).toHaveLength(2);
  const failing = rememberChecks<string>(() => Promise.reject(new Error('The database is away.')), 10);
  await expect(failing.authenticate('a')).rejects.toThrow('The database is away.');
  await expect(failing.authenticate('a')).rejects.toThrow('The database is away.');
});

it('asks again about whom it forgets, also while a check runs, which may have read what was there before', async () => {
  const { asked, checks } = createChecks();
  for (const [index, name] of ['Ada', 'Grace'].entries()) {
    const found = checks.authenticate(name);
    asked[index]?.answer({ principal: name, expiresAtMs: forever });
    await found;
  }
  const running = checks.authenticate('Alan');
  checks.forget((principal) => principal === 'Ada');
  asked[2]?.answer({ principal: 'Alan', expiresAtMs: forever });
  expect(await running).toBe('Alan');
  expect(checks.authenticate('Grace')).toBe('Grace');
  expect(checks.authenticate('Ada')).toBeInstanceOf(Promise);
  expect(checks.authenticate('Alan')).toBeInstanceOf(Promise);
});

it('refuses what has expired since it was checked', async () => {
  const { asked, checks } = createChecks();
  const found = checks.authenticate('a');
  asked[0]?.answer({ principal: 'Ada', expiresAtMs: Date.now() - 1 });
  expect(await found).toBeNull();
  expect(checks.authenticate('a')).toBeNull();
});

it('remembers no more than it may', async () => {
  const { asked, checks } = createChecks(1);
  for (const [index, name] of ['Ada', 'Grace'].entries()) {
    const found = checks.authenticate(name);
    asked[index]?.answer({ principal: name, expiresAtMs: forever });
    await found;
  }
  expect(checks.authenticate('Grace')).toBe('Grace');
  expect(checks.authenticate('Ada')).toBeInstanceOf(Promise);
});
