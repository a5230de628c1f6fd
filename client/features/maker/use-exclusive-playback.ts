import { useEffect, useRef } from 'react'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { useBusyWhile } from '../../hooks/update.ts'
import { createTabSync, openTabChannel } from '../../player/tab-sync.ts'
import { type Engine, useEngineState } from './use-maker.ts'

/**
 * When the maker plays, pauses the site's player and other tabs. Pauses the maker when the site's player or another tab plays, or when the
 * person leaves the page. Updates are deferred while the maker plays.
 */
export function useExclusivePlayback(engine: Engine): void {
  const player = usePlayer()
  const { isPlaying: isEnginePlaying } = useEngineState(engine)
  useBusyWhile(isEnginePlaying, 'song')
  const isPlayerPlaying = usePlayerState(({ status }) => status === 'playing')
  const tabSyncRef = useRef<ReturnType<typeof createTabSync>>(undefined)
  useEffect(() => {
    const tabSync = createTabSync(openTabChannel(), () => engine.pause())
    tabSyncRef.current = tabSync
    return tabSync.close
  }, [engine])
  useEffect(() => {
    if (!isEnginePlaying) return
    player.pause()
    tabSyncRef.current?.announceStart()
  }, [isEnginePlaying, player])
  useEffect(() => {
    if (isPlayerPlaying) engine.pause()
  }, [isPlayerPlaying, engine])
  useEffect(() => () => engine.pause(), [engine])
}
