import { APPLICATION_ROLE, type Db } from './database.ts';

/** Gives the application role a password. ALTER ROLE takes no parameters, so the password is quoted here: it is ours, base64url. */
export async function letApplicationLogIn(db: Db, password: string): Promise<void> {
  if (!/^[\w-]+$/.test(password)) throw new Error('The password must be base64url.');
  await db.unsafe(`ALTER ROLE ${APPLICATION_ROLE} LOGIN PASSWORD '${password}'`);
}
