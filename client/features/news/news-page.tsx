import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FeedItem } from '../../../contract/community.ts'
import { ATOM_PATH, createNewsAnchor, NEWS_PER_PAGE } from '../../../contract/news.ts'
import { pages } from '../../../contract/pages.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { NewsItem, NewsSkeleton } from './news-item.tsx'
import styles from './news-page.module.css'
import { useFeed } from './use-feed.ts'

// An on-demand chunk, because most people follow no artist.
const FollowedSongs = lazyWithRetry(() => import('./followed-songs.tsx').then((module) => module.FollowedSongs), {
  renderError: () => null,
})

interface NewsPageProps {
  /** The anchor of the news item to scroll to; empty for none. */
  anchor: string
}

/** The news of the site, newest first. */
export function NewsPage({ anchor }: NewsPageProps) {
  const loadedFeed = useFeed()
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <header className={styles.head}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{pages['/latest'].heading}</h1>
        <p className={typeStyles.lead}>Our latest news, updates and songs</p>
      </header>
      <div className={styles.followed}>
        <FollowedSongs />
      </div>
      <LoadFailureOrStaleNotice loaded={loadedFeed} />
      {loadedFeed.status === 'loading' && <NewsSkeleton />}
      {loadedFeed.data?.length === 0 && (
        <EmptyState title="No updates to display" action={<Button to="/playlists">Browse playlists</Button>} />
      )}
      {loadedFeed.data !== undefined && loadedFeed.data.length > 0 && <NewsList items={loadedFeed.data} anchor={anchor} />}
      <p className={classNames(typeStyles.muted, styles.feed)}>
        Press Follow on the page of an artist, and the artist's new songs are listed here.
      </p>
      <a className={classNames(typeStyles.link, styles.feed)} href={ATOM_PATH} type="application/atom+xml">
        Atom feed
      </a>
    </div>
  )
}

/** The news items, extended by one page at a time, and initially at least up to the item `anchor`. */
function NewsList({ items, anchor }: { items: readonly FeedItem[]; anchor: string }) {
  const listElement = useRef<HTMLDivElement>(null)
  const [shownNewsCount, setShownNewsCount] = useState(NEWS_PER_PAGE)
  const anchorIndex = items.findIndex(({ id }) => createNewsAnchor(id) === anchor)
  const shownItems = items.slice(0, Math.max(shownNewsCount, anchorIndex + 1))
  const showMoreNews = () => {
    flushSync(() => setShownNewsCount(shownItems.length + NEWS_PER_PAGE))
    // Moves the focus to the first new item, because the button that was pressed may have been removed.
    const firstNewItem = listElement.current?.children[shownItems.length]
    if (firstNewItem instanceof HTMLElement) firstNewItem.focus({ preventScroll: true })
  }
  return (
    <>
      <div ref={listElement}>
        {shownItems.map((item, index) => (
          <NewsItem key={item.id} item={item} isFirst={index === 0} isRequested={index === anchorIndex} />
        ))}
      </div>
      {shownItems.length < items.length && (
        <div className={styles.more}>
          <Button onClick={showMoreNews}>Show more updates</Button>
        </div>
      )}
    </>
  )
}
