import type { ReactNode } from 'react'
import { pages } from '../../../contract/pages.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import type { LoadedResource } from '../../hooks/catalogue.ts'
import { useDocument } from '../../hooks/documents.ts'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatLongDate } from '../../ui/format.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './document-page.module.css'

interface DocumentPageProps<T> {
  heading: string
  /** Whether the content is placed beside the heading on wide screens. */
  isContentBesideHeading?: boolean
  lead?: ReactNode
  loaded: LoadedResource<T>
  children: (content: T) => ReactNode
}

const skeletonLineWidths = ['62%', '96%', '88%', '94%', '40%', '58%', '92%', '97%', '71%']

function DocumentSkeleton() {
  return (
    <div aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      <div className={styles.lines}>
        {skeletonLineWidths.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
  )
}

/**
 * Layout of a page that shows one document: a heading, and below it the document, a skeleton while it loads, or the reason why it could not
 * be loaded.
 */
export function DocumentPage<T>({ heading, isContentBesideHeading = false, lead, loaded, children: renderContent }: DocumentPageProps<T>) {
  return (
    <div className={classNames(typeStyles.wrap, styles.page, isContentBesideHeading && styles.beside)}>
      <header className={styles.head}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{heading}</h1>
        {lead !== undefined && <p className={typeStyles.lead}>{lead}</p>}
      </header>
      <div>
        <LoadFailureOrStaleNotice loaded={loaded} />
        {loaded.status === 'loading' && <DocumentSkeleton />}
        {loaded.data !== undefined && renderContent(loaded.data)}
      </div>
    </div>
  )
}

/** The privacy policy, with the date of its last change. */
export function PrivacyPage() {
  const loadedPrivacy = useDocument('privacy')
  return (
    <DocumentPage
      heading={pages['/privacy'].heading}
      lead={loadedPrivacy.data && `Last updated ${formatLongDate(loadedPrivacy.data.updated)}`}
      loaded={loadedPrivacy}
      isContentBesideHeading
    >
      {({ content }) => <RichText nodes={content} />}
    </DocumentPage>
  )
}

/** The page about the genre, at the path of the setting `WHAT_IS_PATH`. */
export function WhatIsPage() {
  const loadedText = useDocument('what-is')
  const { settings } = useSite()
  return (
    <DocumentPage heading={loadedText.data?.title ?? settings.WHAT_IS_TITLE} loaded={loadedText} isContentBesideHeading>
      {({ content }) => <RichText nodes={content} />}
    </DocumentPage>
  )
}
