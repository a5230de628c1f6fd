import { useEffect, useRef, useState } from 'react'
import type { VideoAdapter } from '../player/video-adapter.ts'
import { usePlayer, usePlayerState } from './player.tsx'

const INTRO_VOLUME = 0.35

/**
 * Controls an embedded YouTube video that is independent of the player. The video loads on the first click and pauses the player; playback of the
 * player pauses the video. `host` is the ref of the element that contains the iframe.
 */
export function useIntroVideo(videoId: string) {
  const player = usePlayer()
  const isPlayerPlaying = usePlayerState((state) => state.status === 'playing')
  const hostRef = useRef<HTMLDivElement>(null)
  const videoRef = useRef<VideoAdapter>(undefined)
  const [state, setState] = useState<'picture' | 'started' | 'failed'>('picture')

  useEffect(
    () => () => {
      videoRef.current?.close()
      videoRef.current = undefined
    },
    [],
  )
  useEffect(() => {
    if (isPlayerPlaying) videoRef.current?.pause()
  }, [isPlayerPlaying])

  const startVideo = () => {
    if (!hostRef.current) return
    player.pause()
    setState('started')
    import('../player/player.ts').then(
      ({ createYoutubeVideo }) => {
        if (!hostRef.current) return
        // Closes the video of an earlier click, which can have waited for the player's chunk at the same time.
        videoRef.current?.close()
        const startedVideo = createYoutubeVideo()
        videoRef.current = startedVideo
        startedVideo.on('error', () => setState('failed'))
        startedVideo.on('playing', () => player.pause())
        startedVideo.attach(hostRef.current)
        startedVideo.volume = INTRO_VOLUME
        startedVideo.load(videoId, 0)
      },
      () => setState('failed'),
    )
  }
  return { host: hostRef, state, start: startVideo }
}
