import styles from './skip-link.module.css'

/** Renders the first focusable element of the page, a link that skips the navigation. */
export function SkipLink() {
  return (
    <a className={styles.link} href="#main">
      Skip to content
    </a>
  )
}
