import type { ReactNode } from 'react'
import { NOT_FOUND_HEADING } from '../../contract/page-titles.ts'
import { usePageTitle } from '../hooks/page-title.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './not-found.module.css'

// The decoration is loaded on demand, because every page loads the code of the not-found page.
const SpinningRecord = lazyWithRetry(() => import('../ui/spinning-record.tsx').then((module) => module.SpinningRecord), {
  renderError: () => null,
})

/** The page for an unknown address. */
export const NotFoundPage = () => <MissingContentPage />

/**
 * The page for the URL of a song or playlist that does not exist; `kind` says which of the two. Without `kind`, the text does not name
 * either.
 */
export function MissingContentPage({ kind }: { kind?: 'song' | 'playlist' }) {
  usePageTitle(NOT_FOUND_HEADING)
  return (
    <NotFoundPanel text={kind && `This ${kind} isn't on the site, or not any more.`}>
      <Button to="/" variant="primary" icon="arrow-left">
        Go back home
      </Button>
      <Button to="/search" icon="search">
        Search
      </Button>
      <Button to="/go/random" icon="shuffle">
        Random song
      </Button>
    </NotFoundPanel>
  )
}

/** Renders a not-found page: the number 404, a heading, a decorative record, and as `children` the buttons that lead to other pages. */
export function NotFoundPanel({ text, children }: { text?: string | undefined; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SpinningRecord seed="404" className={styles.platter} />
      <div className={classNames(typeStyles.wrap, styles.words)}>
        <p className={classNames(typeStyles.display, typeStyles.d4, styles.number)}>404</p>
        <h1 className={classNames(typeStyles.head, typeStyles.d2)}>Page not found</h1>
        {text !== undefined && <p className={typeStyles.lead}>{text}</p>}
        <div className={styles.buttons}>{children}</div>
      </div>
    </div>
  )
}
