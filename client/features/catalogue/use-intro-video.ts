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
      const { loadEmbeddedVideo } = await import('../../hooks/embedded-video.ts')
      const play = await loadEmbeddedVideo()
      if (!hostRef.current) return
      // Ends the video of an earlier click, which can have waited for the player's chunk at the same time.
      closeRef.current?.()
      closeRef.current = play(hostRef.current, videoId, INTRO_VOLUME, () => setState('failed'))
    } catch {
      setState('failed')
    }
  }
  return { host: hostRef, state, start: () => void startVideo() }
}
