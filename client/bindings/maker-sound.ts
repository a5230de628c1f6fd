import { useEffect } from 'react'
import { type Engine, useEngineState } from './maker.ts'
import { usePlayer, usePlayerState } from './player.tsx'

/** One song is heard at a time: the site's player and the maker stop each other. Who leaves the maker leaves its song as well. */
export function useOnlyOneSound(engine: Engine): void {
  const player = usePlayer()
  const { playing } = useEngineState(engine)
  const playerPlays = usePlayerState(({ status }) => status === 'playing')
  useEffect(() => {
    if (playing) player.pause()
  }, [playing, player])
  useEffect(() => {
    if (playerPlays) engine.pause()
  }, [playerPlays, engine])
  useEffect(() => () => engine.pause(), [engine])
}
