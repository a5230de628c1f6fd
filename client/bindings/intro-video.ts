import { useEffect, useRef, useState } from 'react'

const INTRO_VOLUME = 0.35

/** Controls the intro video, which loads on the first click. `host` is the ref of the element that contains the iframe. */
export function useIntroVideo(videoId: string) {
  const hostRef = useRef<HTMLDivElement>(null)
  const closeRef = useRef<() => void>(undefined)
  const [state, setState] = useState<'picture' | 'started' | 'failed'>('picture')

  useEffect(() => () => closeRef.current?.(), [])

  const startVideo = async () => {
    setState('started')
    try {
      const { playEmbeddedVideo } = await import('./embedded-video.ts')
      if (!hostRef.current) return
      const close = await playEmbeddedVideo(hostRef.current, videoId, INTRO_VOLUME, () => setState('failed'))
      // Ends the video of an earlier click, which can have waited for the player's chunk at the same time.
      closeRef.current?.()
      closeRef.current = close
      if (!hostRef.current) close()
    } catch {
      setState('failed')
    }
  }
  return { host: hostRef, state, start: () => void startVideo() }
}
