import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { SpinningRecord } from '../../ui/spinning-record.tsx'
import styles from './radio-stage.module.css'
import { useRadio, useRadioState } from './use-radio.ts'

/**
 * The area of the video on the radio's own page. The element that contains the video's frame is never moved in the document, because that would
 * reload the video.
 */
export function RadioStage() {
  const radio = useRadio()
  const hasFrame = useRadioState((state) => state.hasFrame)
  const videoHost = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (videoHost.current) radio.attachStage(videoHost.current)
  }, [radio])

  return (
    <section aria-label="Video" className={styles.stage}>
      <RadioPicture />
      <div ref={videoHost} className={classNames(styles.host, !hasFrame && styles.unseen)} inert={!hasFrame} />
    </section>
  )
}

/** The song's cover. It is shown until play is pressed, because nothing of the video platform is loaded before that. */
export function RadioPicture() {
  const songId = useRadioState((state) => state.onAir?.youtube_id)
  if (songId === undefined) return <SpinningRecord seed="radio" className={styles.platter} />
  return (
    <Cover
      key={songId}
      src={`/img/song/${songId}`}
      ratio="wide"
      width="(max-width: 900px) 100vw, 800px"
      alt=""
      priority
      className={styles.cover}
    />
  )
}
