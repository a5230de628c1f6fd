import type { CSSProperties, SyntheticEvent } from 'react'
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

/** Written to the element itself: no picture that arrives renders its row anew, and one in the server's HTML is shown as it is. */
const awaitPicture = (element: HTMLImageElement | null) => {
  if (element && !element.complete) element.dataset.arriving = ''
}
const showPicture = (event: SyntheticEvent<HTMLImageElement>) => {
  delete event.currentTarget.dataset.arriving
}

/** A song's or playlist's picture in a frame that has its final size from the start. */
export function Cover({ src, ratio, width, alt, priority = false, className, style }: CoverProps) {
  return (
    <span className={classNames(styles.frame, styles[ratio], className)} style={style}>
      <img
        ref={priority ? undefined : awaitPicture}
        className={styles.picture}
        src={`${src}/320`}
        srcSet={widths.map((each) => `${src}/${each} ${each}w`).join(', ')}
        sizes={typeof width === 'number' ? `${width}px` : width}
        alt={alt}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : 'auto'}
        decoding={priority ? 'sync' : 'async'}
        onLoad={showPicture}
      />
    </span>
  )
}
