import { useEffect, useRef, useState } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { ErrorState } from '../../ui/states.tsx'
import styles from './intro-video.module.css'

/**
 * The intro video. Until it is clicked, a picture is shown and no request is sent to the video platform. If loading fails, the picture
 * shows a message.
 */
export function IntroVideo({ videoId }: { videoId: string }) {
  const { settings } = useSite()
  const { host: videoContainer, state, start } = useIntroVideo(videoId)
  return (
    <div className={styles.screen}>
      {state !== 'started' && (
        <Cover src={`/img/song/${videoId}`} ratio="wide" width="min(100vw, 1344px)" alt="" className={styles.picture} />
      )}
      <div ref={videoContainer} className={classNames(styles.host, state === 'started' && styles.started)} />
      {state === 'picture' && (
        <>
          <button type="button" className={styles.startArea} onClick={start} aria-label={`Play intro video of ${settings.NAME}`} />
          <span className={styles.button} aria-hidden="true" inert>
            <Button size="big" icon="play">
              Play intro
            </Button>
          </span>
        </>
      )}
      {state === 'failed' && (
        <div className={styles.failure}>
          <ErrorState title="This video can't be played right now." onRetry={start} />
        </div>
      )}
    </div>
  )
}

const INTRO_VOLUME = 0.35

/** Controls the intro video, which loads on the first click. `host` is the ref of the element that contains the iframe. */
function useIntroVideo(videoId: string) {
  const hostRef = useRef<HTMLDivElement>(null)
  const closeVideoRef = useRef<() => void>(undefined)
  const [videoState, setState] = useState<'picture' | 'started' | 'failed'>('picture')

  useEffect(() => () => closeVideoRef.current?.(), [])

  const startVideo = async () => {
    setState('started')
    try {
      const { loadEmbeddedVideo } = await import('../../hooks/embedded-video.ts')
      const playVideo = await loadEmbeddedVideo()
      if (!hostRef.current) return
      // Removes the video of an earlier click, because two clicks may have waited for the player's chunk at the same time.
      closeVideoRef.current?.()
      closeVideoRef.current = playVideo(hostRef.current, { videoId, volume: INTRO_VOLUME, onError: () => setState('failed') })
    } catch {
      setState('failed')
    }
  }
  return { host: hostRef, state: videoState, start: () => void startVideo() }
}
