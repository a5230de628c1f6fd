import { useEffect, useRef, useState } from 'react'
import { createYoutubeVideo } from '../player/youtube-video.ts'
import { usePlayer, usePlayerState } from './player.tsx'

const VOLUME = 0.35

/**
 * A video of the page itself, apart from the player: it loads at the first press, pauses the player, and pauses when the
 * player plays on. `host` takes its frame.
 */
export function useIntroVideo(videoId: string) {
  const player = usePlayer()
  const playing = usePlayerState((state) => state.status === 'playing')
  const host = useRef<HTMLDivElement>(null)
  const video = useRef<ReturnType<typeof createYoutubeVideo>>(undefined)
  const [state, setState] = useState<'picture' | 'started' | 'failed'>('picture')

  useEffect(
    () => () => {
      video.current?.close()
      video.current = undefined
    },
    [],
  )
  useEffect(() => {
    if (playing) video.current?.pause()
  }, [playing])

  const start = () => {
    if (!host.current) return
    player.pause()
    video.current?.close()
    const started = createYoutubeVideo()
    video.current = started
    started.addEventListener('error', () => setState('failed'))
    started.addEventListener('playing', () => player.pause())
    started.attach(host.current)
    started.volume = VOLUME
    started.load(videoId, 0)
    setState('started')
  }
  return { host, state, start }
}
