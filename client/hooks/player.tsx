import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { idleState } from '../player/idle-player.ts'
import type { PagePlayer, PlaybackPosition, PlayerState } from '../player/player-interface.ts'
import {
  getVideoPlaceholder,
  hasVideoPlaceholder,
  setVideoPlaceholder,
  setVideoPlaceholderInView,
  subscribeVideoPlaceholder,
} from '../player/video-placeholder.ts'
import { useDeviceOffline } from './offline.ts'
import { useServices } from './services.tsx'

export type { PlayerState } from '../player/player-interface.ts'

/** Returns the player, which is one object for the lifetime of the page. */
export const usePlayer = (): PagePlayer => useServices().player

/** Returns a value selected from the player's state. `selectValue` must return a value of the state, not a new object. */
export function usePlayerState<T>(selectValue: (state: PlayerState) => T): T {
  const player = usePlayer()
  return useSyncExternalStore(
    player.subscribe,
    () => selectValue(player.getSnapshot()),
    () => selectValue(idleState),
  )
}

/** Calls `listener` with the playback position during playback, without rendering: the listener writes to the DOM. */
export function usePosition(listener: (position: PlaybackPosition) => void): void {
  const player = usePlayer()
  const notifyListener = useEffectEvent(listener)
  useEffect(() => {
    const notifyOfState = () => notifyListener(player.position())
    notifyOfState()
    const unsubscribeFromState = player.subscribe(notifyOfState)
    const stopPositionUpdates = player.onPosition((position) => notifyListener(position))
    return () => {
      unsubscribeFromState()
      stopPositionUpdates()
    }
  }, [player])
}

/** Matches viewports that are so narrow that the playback controls of the song page are always in view. */
const NARROW_SCREEN_QUERY = '(max-width: 820px)'

/**
 * The placeholder of the video on the song page: the video's iframe is positioned exactly over this element while the element is in the viewport, or
 * while it is mounted if the viewport is narrow.
 */
export function VideoPlaceholder({ className }: { className?: string | undefined }) {
  const placeholderElement = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!placeholderElement.current) return
    const unsetPlace = setVideoPlaceholder(placeholderElement.current)
    const observer = new IntersectionObserver((entries) =>
      setVideoPlaceholderInView(matchMedia(NARROW_SCREEN_QUERY).matches || entries.at(-1)?.isIntersecting === true),
    )
    observer.observe(placeholderElement.current)
    return () => {
      observer.disconnect()
      unsetPlace()
    }
  }, [])
  return <div ref={placeholderElement} className={className} data-stage-placeholder="" />
}

const getNoPlaceholder = () => undefined

/** Returns the element that the video is positioned over; `undefined` if the page has no placeholder. */
export const useVideoPlaceholder = (): HTMLElement | undefined =>
  useSyncExternalStore(subscribeVideoPlaceholder, getVideoPlaceholder, getNoPlaceholder)

/** Returns whether the page has a placeholder of the video, in the viewport or not. */
export const useHasVideoPlaceholder = (): boolean => useSyncExternalStore(subscribeVideoPlaceholder, hasVideoPlaceholder, () => false)

/**
 * Returns whether the player cannot play because the device is offline: it neither plays a video that is already loaded, nor has a sound
 * that is stored on this device.
 */
export function useIsOfflineAndNotPlaying(): boolean {
  const isOffline = useDeviceOffline()
  const isNotPlaying = usePlayerState((state) => state.status !== 'playing' && !state.current?.artwork)
  return isOffline && isNotPlaying
}
