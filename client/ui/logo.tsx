import styles from './logo.module.css'

interface LogoProps {
  name: string
  /** A picture of the brand's own; empty for the drawn mark. */
  src: string
  /** The drawn mark: an SVG path in a square of 24 units. */
  mark: string
  to?: string
}

/** The brand's mark and name, as a link. */
export function Logo({ name, src, mark, to = '/' }: LogoProps) {
  return (
    <a className={styles.logo} href={to}>
      {src ? (
        <img className={styles.mark} src={src} alt="" width="26" height="26" />
      ) : (
        <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d={mark} />
        </svg>
      )}
      <span>{name}</span>
    </a>
  )
}
