import { useEffect, useRef, useState } from 'react'

const INTRO_VOLUME = 0.35

/**
 * Controls an embedded YouTube video that is independent of the player. The video loads on the first click. It and the other players of the origin
 * pause each other (`tab-sync.ts`). `host` is the ref of the element that contains the iframe.
 */
export function useIntroVideo(videoId: string) {
  const hostRef = useRef<HTMLDivElement>(null)
  const closeRef = useRef<() => void>(undefined)
  const [state, setState] = useState<'picture' | 'started' | 'failed'>('picture')

  useEffect(() => () => closeRef.current?.(), [])

  const startVideo = () => {
    setState('started')
    import('../player/player.ts').then(
      ({ createYoutubeVideo, createTabSync, openTabChannel }) => {
        if (!hostRef.current) return
        // Closes the video of an earlier click, which can have waited for the player's chunk at the same time.
        closeRef.current?.()
        const video = createYoutubeVideo()
        const tabSync = createTabSync(openTabChannel(), () => video.pause())
        closeRef.current = () => {
          tabSync.close()
          video.close()
        }
        video.on('error', () => setState('failed'))
        video.on('playing', () => tabSync.announceStart())
        // At once, so that a player that still loads does not start after it.
        tabSync.announceStart()
        video.attach(hostRef.current)
        video.volume = INTRO_VOLUME
        video.load(videoId, 0)
      },
      () => setState('failed'),
    )
  }
  return { host: hostRef, state, start: startVideo }
}
