import type { OperatorRole, StaffRole } from '../../operator-roles.ts';
import type { Permission, PermissionSet } from '../../permissions.ts';

/** A person with a token; `companyId` is null for a customer. */
export type UserPrincipal = {
  kind: 'user';
  userId: string;
  /** First and last name. */
  name: string;
  sessionId: string;
  companyId: string | null;
  /** What the user's role grants: read with the session, so a second old at most. */
  permissions: PermissionSet;
  /** Whether this installation demands a verified e-mail and the user's is not; as old. */
  lacksVerifiedEmail: boolean;
  /** What one of the operator's people may do under `/operator`; null for everybody else. As old. */
  staffRole: StaffRole | null;
  /** Whether the operator has disabled the company; as old. */
  isCompanyDisabled: boolean;
  /** Whether the company demands a second factor and the user has none; as old. */
  lacksSecondFactor: boolean;
};

/** The holder of a company's API key. */
export type ApiKeyPrincipal = {
  kind: 'api_key';
  keyId: string;
  /** The name of the key. */
  name: string;
  /** Who created the key. */
  userId: string;
  companyId: string;
  /** What the key grants of what its creator may do: a second old at most. */
  permissions: PermissionSet;
  /** Whether the operator has disabled the company; as old. */
  isCompanyDisabled: boolean;
  /** Whether this installation demands a verified e-mail and the creator's is not; as old. */
  lacksVerifiedEmail: boolean;
  /** Whether the key is accepted from an IP address. */
  mayCallFrom: (address: string) => boolean;
};

/** A customer of the operator's product, who has no account here, in a session that the product has opened. */
export type CustomerSessionPrincipal = {
  kind: 'customer_session';
  sessionId: string;
  /** The id that the product has for the person; null if it has named nobody. */
  customerId: string | null;
  /** The person's name; empty without one. */
  name: string;
  companyId: string;
  permissions: PermissionSet;
  /** The operator key, or the one of the staff, that has opened the session. */
  openedBy: { id: string; name: string };
};

/** One of the operator's people, or an operator key, who looks at a company as its members see it. */
export type ViewPrincipal = {
  kind: 'view';
  sessionId: string;
  companyId: string;
  permissions: PermissionSet;
  openedBy: { kind: 'operator_key' | 'staff'; id: string; name: string };
  /** The session in which it was opened, with which it ends; null for one that was opened with a key itself. */
  openedIn: string | null;
};

/** The holder of an operator key. */
export type OperatorPrincipal = {
  kind: 'operator';
  keyId: string;
  keyName: string;
  role: OperatorRole;
  /** Of the console; null for the key itself. */
  sessionId: string | null;
};

/** Who calls a route of the operator: a key, or one of the staff. */
export type OperatorCaller = OperatorPrincipal | UserPrincipal;

/** Who calls. */
export type Principal = UserPrincipal | ApiKeyPrincipal | CustomerSessionPrincipal | ViewPrincipal | OperatorPrincipal;

/**
 * Who may call a route: anyone, any user with a token, any member of a company, a member whose role has a permission, or the operator. An
 * API key counts as a member, and so do a customer session at the routes that are open to it, and a view of the company where it reads.
 */
export type Access = 'public' | 'user' | 'member' | 'operator' | Permission;

/**
 * Finds the caller behind a credential; null when there is none. Returns without a promise when it is cached, because
 * every request calls it.
 */
export type Authenticate = (credential: string) => Principal | null | Promise<Principal | null>;

/** What decides which pages may send the tokens of customer sessions. */
export type CustomerPages = {
  /** The origins of the operator's product. Returns without a promise when they are known. */
  readOrigins: () => readonly string[] | Promise<readonly string[]>;
  /** Whether a credential is the token of a customer session, also of one that has ended. */
  isOfCustomer: (credential: string) => boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** The code of the error that was answered, for the log; else null. */
    errorCode: string | null;
    /** Where the route keeps them; else null. */
    bodyBytes: Buffer | null;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** Keys of the body whose numbers reach the handler as the client's text. */
    exactNumbers?: readonly string[];
    keepsBodyBytes?: boolean;
  }
}
