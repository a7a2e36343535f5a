import { Button } from '../ui/button/button.tsx';
import { Pagination } from '../ui/pagination/pagination.tsx';
import styles from './list-page.module.css';
import { useListsText } from './text.ts';
import type { ListAnswer } from './types.ts';
import type { ListSearch } from './use-list-search.ts';

/** The way to the other pages of a list, and how many results there are. */
export function Pages({ answer, list: { search, change } }: { answer: ListAnswer<unknown>; list: ListSearch }) {
  const t = useListsText();
  const { total, nextCursor, page = answer.current_page ?? 1, perPage = answer.per_page ?? 1 } = answer;
  if (total === undefined) {
    if (nextCursor == null && search.cursor === undefined) return null;
    return (
      <div className={styles.pages}>
        <Button size="small" disabled={search.cursor === undefined} onClick={() => history.back()}>
          {t('previous')}
        </Button>
        <Button size="small" disabled={nextCursor == null} onClick={() => change({ cursor: nextCursor ?? undefined })}>
          {t('next')}
        </Button>
      </div>
    );
  }
  const pages = Math.max(1, Math.ceil(total / perPage));
  return (
    <div className={styles.pages}>
      <p>{t('total', { total })}</p>
      {pages === 1 ? null : (
        <Pagination
          page={page}
          pages={pages}
          pageLabel={t('page', { page: String(page), pages: String(pages) })}
          previousLabel={t('previous')}
          nextLabel={t('next')}
          onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
        />
      )}
    </div>
  );
}
