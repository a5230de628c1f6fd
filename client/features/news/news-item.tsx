import { memo, useEffect, useId, useRef } from 'react'
import type { FeedItem } from '../../../contract/community.ts'
import { createNewsAnchor } from '../../../contract/news.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { ExpandableContent } from '../../ui/expandable-content.tsx'
import { formatLongDate } from '../../ui/format.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { createLinkAttributes, toSafeHref } from '../../ui/safe-href.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './news-item.module.css'

/** The number of characters above which a text is folded. A text of this length always fills more lines than the folded text shows. */
const FOLDED_NEWS_LENGTH = 2400

const measureTextLength = (html: string) => html.replace(/<[^<>]*>/g, '').length

interface NewsItemProps {
  item: FeedItem
  /** Whether the item is the first of the page, whose picture is loaded with high priority. */
  isFirst: boolean
  /** Whether the page's URL has the anchor of this item. If so, the page scrolls to the item, and the item is marked. */
  isRequested: boolean
}

/** A news item. The title is beside the text, or, if the item has a picture, title and text are beside the picture. */
export const NewsItem = memo(function NewsItem({ item, isFirst, isRequested }: NewsItemProps) {
  const { id, title, date, url, image, content, content_tree } = item
  const articleElement = useRef<HTMLElement>(null)
  const titleId = useId()
  const isLongContent = measureTextLength(content) > FOLDED_NEWS_LENGTH
  const href = toSafeHref(url)
  // Scrolls to the item, because the browser scrolls to an anchor only if the item exists when the page is opened.
  useEffect(() => {
    if (isRequested) articleElement.current?.scrollIntoView()
  }, [isRequested])
  const textElement = (
    <div dir="auto">
      <RichText nodes={content_tree} />
    </div>
  )
  return (
    <article
      ref={articleElement}
      id={createNewsAnchor(id)}
      tabIndex={-1}
      className={classNames(styles.item, image !== '' && styles.illustrated, isRequested && styles.requested)}
      aria-labelledby={titleId}
    >
      <header className={styles.head}>
        <time dateTime={date} className={classNames(typeStyles.mono, typeStyles.muted)}>
          {formatLongDate(date)}
        </time>
        <h2 id={titleId} dir="auto" className={classNames(typeStyles.head, typeStyles.d2, chooseTallScriptClass(title))}>
          {href === undefined ? (
            title
          ) : (
            <a className={styles.title} {...createLinkAttributes(href)}>
              {title}
            </a>
          )}
        </h2>
      </header>
      {image !== '' && (
        <Cover src={image} ratio="wide" width="(max-width: 900px) 94vw, 730px" alt="" priority={isFirst} className={styles.picture} />
      )}
      <div className={styles.body}>
        {isLongContent ? (
          <ExpandableContent label={title} onFold={() => articleElement.current?.scrollIntoView()}>
            {textElement}
          </ExpandableContent>
        ) : (
          textElement
        )}
        <AnchorLink id={createNewsAnchor(id)}>Link to this update</AnchorLink>
      </div>
    </article>
  )
})

export function NewsSkeleton() {
  return (
    <div aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      {['first', 'second'].map((lineName) => (
        <div key={lineName} className={classNames(styles.item, styles.illustrated)} aria-hidden="true">
          <div className={styles.head}>
            <Skeleton width="9rem" />
            <Skeleton height="var(--d-2)" />
            <Skeleton width="60%" height="var(--d-2)" />
          </div>
          <Skeleton className={classNames(styles.picture, styles.bone)} />
          <div className={styles.body}>
            <Skeleton width="92%" />
            <Skeleton width="84%" />
            <Skeleton width="46%" />
          </div>
        </div>
      ))}
    </div>
  )
}
