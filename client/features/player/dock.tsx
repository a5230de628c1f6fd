import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { stopPageRadio, useIsRadioDocked } from '../../hooks/page-radio.ts'
import { usePlayerState, useVideoPlaceholder } from '../../hooks/player.tsx'
import { addListener } from '../../primitives/scope.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PlayerVideo } from './player-video.tsx'

const DockBar = lazyWithRetry(() => import('./dock-bar.tsx').then((module) => module.DockBar))
// If the chunk of the keyboard shortcuts cannot be loaded, only the buttons control the player.
const PlayerShortcuts = lazyWithRetry(() => import('./shortcuts.tsx').then((module) => module.PlayerShortcuts), { renderError: () => null })

/** Loads the chunk of the visible dock bar, so that it appears together with the player's state, and the chunk of the shortcuts. */
export const preloadDock = () => Promise.all([DockBar.preload(), PlayerShortcuts.preload()])

/**
 * The player bar, shown on pages where no other player is in view. It is rendered once, above all routes, because it contains the video's
 * frame.
 */
export function Dock() {
  const placeholder = useVideoPlaceholder()
  const status = usePlayerState((state) => state.status)
  const hasSong = usePlayerState((state) => state.songId !== undefined)
  const isPlayerStarting = status === 'playing' || status === 'loading'
  const isDockOpen = isPlayerStarting || status === 'blocked' || status === 'unplayable'
  const isRadioDocked = useIsRadioDocked()
  const dockForm = isRadioDocked ? 'radio' : placeholder ? 'page' : !hasSong ? 'none' : isDockOpen ? 'playing' : 'paused'

  // If a song is loaded in the player, the dock shows the song instead of the radio.
  useEffect(() => {
    if (isPlayerStarting && isRadioDocked) stopPageRadio()
  }, [isPlayerStarting, isRadioDocked])

  const earlyKeys = useRef<KeyboardEvent[] | undefined>([])
  const [hasPressedKey, setHasPressedKey] = useState(false)
  // A layout effect, so that the first commit already receives the keys that are replayed after it.
  useLayoutEffect(
    () =>
      addListener(document, 'keydown', (event) => {
        earlyKeys.current?.push(event)
        setHasPressedKey(true)
      }),
    [],
  )

  // This attribute makes a style sheet reserve space for the dock at the bottom of the page: `dock.module.css`, or `radio-layer.module.css`
  // for the radio.
  useLayoutEffect(() => {
    document.documentElement.dataset.dock = dockForm
  }, [dockForm])

  return (
    <>
      {(dockForm === 'playing' || dockForm === 'paused') && <DockBar folded={dockForm === 'paused'} />}
      <PlayerVideo docked={dockForm === 'playing'} />
      {hasPressedKey && <PlayerShortcuts earlyKeys={earlyKeys} />}
    </>
  )
}
