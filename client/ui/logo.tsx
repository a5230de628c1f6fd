import styles from './logo.module.css'

interface LogoProps {
  name: string
  /** URL of the brand's logo image; if empty, `svgPath` is drawn. */
  src: string
  /** SVG path of the logo in a 24 × 24 view box. */
  svgPath: string
  to?: string
}

/** Renders the brand's logo and name as a link. */
export function Logo({ name, src, svgPath, to = '/' }: LogoProps) {
  return (
    <a className={styles.logo} href={to}>
      {src ? (
        <img className={styles.mark} src={src} alt="" width="26" height="26" />
      ) : (
        <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true">
          <path d={svgPath} />
        </svg>
      )}
      <span>{name}</span>
    </a>
  )
}
