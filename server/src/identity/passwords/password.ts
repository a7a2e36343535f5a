import { hash, verify } from '@node-rs/argon2';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';

/** The cost of computing a hash. The memory is in KiB. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The library's value for argon2id. */
const ALGORITHM = 2;

const MAX_PASSWORD_BYTES = 256;

/** The rule of a password that is only compared: no account has a longer one. */
export const tooManyBytes = documentedRule({}, (password) =>
  Buffer.byteLength(password) > MAX_PASSWORD_BYTES ? [`must have at most ${MAX_PASSWORD_BYTES} bytes`] : [],
);

const DOCUMENTED = {
  minLength: 9,
  allOf: ['\\p{Lu}', '\\p{Ll}', '[^\\p{L}\\p{Nd}]', '\\p{Nd}'].map((pattern) => ({ pattern })),
};

/**
 * The password rules that a password breaks. Characters are Unicode code points; "special" is any character that is
 * neither a letter nor a digit.
 */
export const brokenPasswordRules = documentedRule(DOCUMENTED, (password) => {
  const tooLong = tooManyBytes(password);
  if (tooLong.length > 0) return tooLong;
  const rules: [boolean, string][] = [
    [[...password].length > 8, 'must be longer than 8 characters'],
    [/\p{Lu}/u.test(password), 'must contain an uppercase letter'],
    [/\p{Ll}/u.test(password), 'must contain a lowercase letter'],
    [/[^\p{L}\p{Nd}]/u.test(password), 'must contain a special character'],
    [/\p{Nd}/u.test(password), 'must contain a digit'],
  ];
  return rules.flatMap(([kept, message]) => (kept ? [] : [message]));
});

/** The argon2id hash of a password in PHC form, with a new salt. Call it within `withHashingSlot`. */
export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  return hash(password, { ...cost, algorithm: ALGORITHM });
}

let hashOfNobody: Promise<string> | undefined;

/**
 * Whether a password matches a hash. Without a hash (unknown e-mail) it does the same work, so that the time does not
 * reveal whether the account exists. Call it within `withHashingSlot`.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  hashOfNobody ??= hash('Nobody has this password 1', { ...PASSWORD_COST, algorithm: ALGORITHM });
  const matches = await verify(passwordHash ?? (await hashOfNobody), password);
  return matches && passwordHash !== null;
}

/**
 * Computes the hash that unknown e-mails are checked against, so that the first such login takes no longer than others.
 */
export async function warmUpPasswords(): Promise<void> {
  await verifyPassword('', null);
}
