import { type CSSProperties, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './cover.module.css'

const widths = [160, 320, 640, 1280] as const

interface CoverProps {
  /** A picture of `/img/…` without its width. */
  src: string
  ratio: 'square' | 'wide'
  /** How wide it is shown: CSS pixels, or a `sizes` text where it depends on the page. */
  width: number | string
  /** Empty where the words beside it say the same. */
  alt: string
  /** For the one picture that a page opens with. */
  priority?: boolean
  className?: string | undefined
  style?: CSSProperties
}

/** A song's or playlist's picture in a frame that has its final size from the start. */
export function Cover({ src, ratio, width, alt, priority = false, className, style }: CoverProps) {
  const [loaded, setLoaded] = useState(false)
  return (
    <span className={classNames(styles.frame, styles[ratio], className)} style={style}>
      <img
        ref={(element) => {
          if (element?.complete && element.naturalWidth > 0) setLoaded(true)
        }}
        className={classNames(styles.picture, loaded && styles.loaded)}
        src={`${src}/320`}
        srcSet={widths.map((each) => `${src}/${each} ${each}w`).join(', ')}
        sizes={typeof width === 'number' ? `${width}px` : width}
        alt={alt}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : 'auto'}
        decoding="async"
        onLoad={() => setLoaded(true)}
      />
    </span>
  )
}
