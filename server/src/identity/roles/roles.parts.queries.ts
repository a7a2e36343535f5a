import { constantPart } from '../../platform/database/database.ts';

/** The columns of a `StoredRole`, of the table `users`. */
export const storedRole = constantPart(
  (db) => db`
    users.role AS "systemRole",
    (SELECT json_build_object(
       'id', roles.id, 'name', roles.name, 'description', roles.description, 'permission', roles.permission)
     FROM roles WHERE roles.company_id = users.company_id AND roles.id = users.role_id) AS "customRole"`,
);
