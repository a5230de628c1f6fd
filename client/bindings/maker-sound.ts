import { useEffect } from 'react'
import { useBusyWhile } from './busy.ts'
import { type Engine, useEngineState } from './maker.ts'
import { usePlayer, usePlayerState } from './player.tsx'

/**
 * One song is heard at a time: the site's player and the maker stop each other. Who leaves the maker leaves its song as well. No update
 * interrupts it.
 */
export function useOnlyOneSound(engine: Engine): void {
  const player = usePlayer()
  const { playing } = useEngineState(engine)
  useBusyWhile(playing, 'song')
  const playerPlays = usePlayerState(({ status }) => status === 'playing')
  useEffect(() => {
    if (playing) player.pause()
  }, [playing, player])
  useEffect(() => {
    if (playerPlays) engine.pause()
  }, [playerPlays, engine])
  useEffect(() => () => engine.pause(), [engine])
}
