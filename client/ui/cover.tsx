import type { CSSProperties, ReactNode, SyntheticEvent } from 'react'
import { classNames } from './class-names.ts'
import styles from './cover.module.css'

const coverWidthsPx = [160, 320, 640, 1280] as const
/** The rendered width of the pictures in song rows, in CSS pixels. */
export const ROW_COVER_PX = 88

interface CoverProps {
  /** Path of the picture below `/img/`, without the trailing width. */
  src: string
  ratio: 'square' | 'wide'
  /** The rendered width in CSS pixels, if it is the small picture of a row; else a value for the `sizes` attribute. */
  width: number | string
  /** Alternative text; empty if the adjacent text says the same. */
  alt: string
  /** Loads the picture eagerly and with high priority. */
  priority?: boolean
  /** Until the picture is loaded, shows the small picture of song rows, which is in the browser's cache if a list has shown the song. */
  hasPreview?: boolean
  className?: string | undefined
  style?: CSSProperties
  /** Content above the picture. */
  children?: ReactNode
}

/** Marks a picture as loading with an attribute instead of React state, so that its load event causes no render. */
const markAsLoading = (element: HTMLImageElement | null) => {
  if (element && !element.complete) element.dataset.loading = ''
}
const unmarkAsLoading = (event: SyntheticEvent<HTMLImageElement>) => {
  delete event.currentTarget.dataset.loading
}

/** A song's or playlist's picture in a frame of fixed size, so that loading causes no layout shift. */
export function Cover({ src, ratio, width, alt, priority = false, hasPreview = false, className, style, children }: CoverProps) {
  const srcSet = coverWidthsPx.map((each) => `${src}/${each} ${each}w`).join(', ')
  return (
    <span className={classNames(styles.frame, styles[ratio], typeof width === 'number' && styles.small, className)} style={style}>
      {hasPreview && <img className={styles.picture} srcSet={srcSet} sizes={`${ROW_COVER_PX}px`} alt="" decoding="sync" />}
      {/* A playlist without songs has no picture. */}
      {src !== '' && (
        <img
          ref={priority ? undefined : markAsLoading}
          className={styles.picture}
          src={`${src}/320`}
          srcSet={srcSet}
          sizes={typeof width === 'number' ? `${width}px` : width}
          alt={alt}
          loading={priority ? 'eager' : 'lazy'}
          fetchPriority={priority ? 'high' : 'auto'}
          decoding={priority ? 'sync' : 'async'}
          onLoad={unmarkAsLoading}
        />
      )}
      {children}
    </span>
  )
}
