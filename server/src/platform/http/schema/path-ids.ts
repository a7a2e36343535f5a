import { validate as isUuid } from 'uuid';
import { notFound } from '../../errors.ts';

/** The names of the ids in a path: `company_id` and `item_id` in `/companies/:company_id/items/:item_id`. */
export type IdNames<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | IdNames<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;

/** What is no id in a path, and what it is instead. */
export const NOT_IDS: Readonly<Record<string, string>> = {
  token: 'The token of the link in a mail.',
  name: 'The name.',
  index: 'The place of a file in `attachments`, counted from 0.',
};

/** The ids of a path by their names. `resource` is what the last one names. @throws ApiError not_found for one that is no UUID */
export function readPathIds(ids: Record<string, string>, resource: string | undefined): Record<string, string> {
  const names = Object.keys(ids);
  for (const name of names) {
    if (!(name in NOT_IDS) && !isUuid(ids[name]))
      throw notFound(resourceOf(name, { isLast: name === names.at(-1), resource }));
  }
  return ids;
}

/** What an id in a path names, in words. */
export function resourceOf(
  name: string,
  { isLast, resource = 'thing' }: { isLast: boolean; resource: string | undefined },
): string {
  return isLast ? resource : name.replace(/_id$/, '').replaceAll('_', ' ');
}
