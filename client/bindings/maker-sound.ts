import { useEffect, useRef } from 'react'
import { createTabs, openTabChannel } from '../player/tabs.ts'
import { useBusyWhile } from './busy.ts'
import { type Engine, useEngineState } from './maker.ts'
import { usePlayer, usePlayerState } from './player.tsx'

/**
 * One song is heard at a time: the site's player and the maker stop each other, and those of other tabs. Who leaves the maker leaves its song
 * as well. No update interrupts it.
 */
export function useOnlyOneSound(engine: Engine): void {
  const player = usePlayer()
  const { playing } = useEngineState(engine)
  useBusyWhile(playing, 'song')
  const playerPlays = usePlayerState(({ status }) => status === 'playing')
  const tabs = useRef<ReturnType<typeof createTabs>>(undefined)
  useEffect(() => {
    const opened = createTabs(openTabChannel(), () => engine.pause())
    tabs.current = opened
    return opened.close
  }, [engine])
  useEffect(() => {
    if (!playing) return
    player.pause()
    tabs.current?.started()
  }, [playing, player])
  useEffect(() => {
    if (playerPlays) engine.pause()
  }, [playerPlays, engine])
  useEffect(() => () => engine.pause(), [engine])
}
