import type { Permissions } from '@paydesk/client';
import { useSession } from './session.ts';

type Names<Part> = Extract<keyof { [Name in keyof Part as Part[Name] extends null ? never : Name]: true }, string>;
export type Permission =
  | `platform.${Names<Permissions['platform']>}.${'view' | 'all'}`
  | `application.${Names<Permissions['application']>}.${'view' | 'all'}`;

/** Returns whether the session has a permission of a company. A view of the operator reads everything and changes nothing. */
export function useMay(): (permission: Permission) => boolean {
  const session = useSession();
  return (permission) => {
    const [part = '', entry = '', flag = ''] = permission.split('.');
    if (session?.kind === 'view') return flag === 'view';
    const permissions = session?.permissions as Record<string, Record<string, Record<string, boolean> | null>> | null;
    return permissions?.[part]?.[entry]?.[flag] === true;
  };
}
