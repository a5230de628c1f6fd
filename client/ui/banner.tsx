import styles from './banner.module.css'
import { classNames } from './class-names.ts'

const widths = [640, 1280] as const

/** The banner of a website: its picture, or a drawn one. */
export function Banner({ domainName, className }: { domainName: string; className?: string | undefined }) {
  const source = `/img/website/${domainName}`
  return (
    <img
      className={classNames(styles.banner, className)}
      src={`${source}/1280`}
      srcSet={widths.map((width) => `${source}/${width} ${width}w`).join(', ')}
      sizes="100vw"
      width={1280}
      height={400}
      alt=""
      fetchPriority="high"
    />
  )
}
