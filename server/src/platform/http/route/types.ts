import type { Permission, RoleName } from '../../permissions.ts';

/** A person with a token; `companyId` is null for a customer. */
export type UserPrincipal = {
  kind: 'user';
  userId: string;
  sessionId: string;
  role: RoleName;
  companyId: string | null;
};

/** Whoever holds an operator key. */
export type OperatorPrincipal = { kind: 'operator'; keyName: string };

/** Who calls. */
export type Principal = UserPrincipal | OperatorPrincipal;

/** Who may call a route: anyone, any user with a token, a user whose role holds a permission, or the operator. */
export type Access = 'public' | 'user' | 'operator' | Permission;

/** Finds out who a credential belongs to; null when it is nobody's. At once when that is known, for it is asked on every request. */
export type Authenticate = (credential: string) => Principal | null | Promise<Principal | null>;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** Of the error that it was answered with, for the log; else null. */
    errorCode: string | null;
    /** Where the route keeps them; else null. */
    bodyBytes: Buffer | null;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** Keys of the body whose numbers reach the handler as the text that the client wrote. */
    exactNumbers?: readonly string[];
    keepsBodyBytes?: boolean;
  }
}
