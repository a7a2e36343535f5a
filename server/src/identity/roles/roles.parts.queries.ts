import { constantPart } from '../../platform/database/database.ts';

/** The columns of a `StoredRole`, of a table that refers to a role. */
const storedRoleOf = (table: 'users' | 'invitations' | 'sign_in_providers') =>
  constantPart(
    (db) => db`
      ${db(table)}.role AS "systemRole",
      (SELECT json_build_object(
         'id', roles.id, 'name', roles.name, 'description', roles.description, 'permission', roles.permission)
       FROM roles WHERE roles.company_id = ${db(table)}.company_id AND roles.id = ${db(table)}.role_id) AS "customRole"`,
  );

/** The columns of a `StoredRole`, of the table `users`. */
export const storedRole = storedRoleOf('users');

/** The same, of the table `invitations`. */
export const storedRoleOfInvitation = storedRoleOf('invitations');

/** The same, of the table `sign_in_providers`. */
export const storedRoleOfProvider = storedRoleOf('sign_in_providers');

/** Whether a row of `users`, joined to its row of `roles` if it has one, may change both the company's members and its roles. */
export const managesMembersAndRoles = constantPart(
  (db) => db`(
    users.role = 'Admin' OR (
      roles.permission #>> '{platform,admins,all}' = 'true' AND roles.permission #>> '{platform,roles,all}' = 'true'))`,
);
