import { useEffect, useRef, useSyncExternalStore } from 'react'
import { idleState } from '../player/idle-player.ts'
import type { Player, PlayerState, Position } from '../player/player-interface.ts'
import { getStagePlace, setStagePlace, subscribeStagePlace } from '../player/stage-place.ts'
import { useServices } from './services.tsx'

/** The player's commands. The object is the same for as long as the page lives. */
export const usePlayer = (): Player => useServices().player

/** A part of the player's slow state; `select` must give a value of the state, not a new object. */
export function usePlayerState<T>(select: (state: PlayerState) => T): T {
  const player = usePlayer()
  return useSyncExternalStore(
    player.subscribe,
    () => select(player.getSnapshot()),
    () => select(idleState),
  )
}

/** Calls `listener` with the position while a song plays, outside React's state: the listener writes to the DOM itself. */
export function usePosition(listener: (position: Position) => void): void {
  const player = usePlayer()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const show = () => latest.current(player.position())
    show()
    const stopState = player.subscribe(show)
    const stopPosition = player.onPosition((position) => latest.current(position))
    return () => {
      stopState()
      stopPosition()
    }
  }, [player])
}

/** Where the video lies on the song page: the one frame is laid exactly over this box for as long as it is there. */
export function StagePlaceholder({ className }: { className?: string | undefined }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    return setStagePlace(box.current)
  }, [])
  return <div ref={box} className={className} data-stage-placeholder="" />
}

const noStagePlace = () => undefined

/** The box that a page keeps for the video, if it does. */
export const useStagePlace = (): HTMLElement | undefined => useSyncExternalStore(subscribeStagePlace, getStagePlace, noStagePlace)
