import { useEffect, useLayoutEffect, useState } from 'react'
import { stopPageRadio, useIsRadioDocked } from '../../hooks/page-radio.ts'
import { usePlayerState, useVideoPlaceholder } from '../../hooks/player.tsx'
import { listen } from '../../primitives/scope.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PlayerVideo } from './player-video.tsx'

const DockBar = lazyWithRetry(() => import('./dock-bar.tsx').then((module) => module.DockBar))
// If the chunk of the keyboard shortcuts cannot be loaded, only the buttons control the player.
const Shortcuts = lazyWithRetry(() => import('./shortcuts.tsx').then((module) => module.Shortcuts), { renderError: () => null })

/** Loads the chunk of the visible dock bar, so that it appears together with the player's state, and the chunk of the shortcuts. */
export const preloadDock = () => Promise.all([DockBar.preload(), Shortcuts.preload()])

/** The player bar on pages without a deck in view. Rendered once above all routes, since it contains the video's frame. */
export function Dock() {
  const placeholder = useVideoPlaceholder()
  const status = usePlayerState((state) => state.status)
  const hasSong = usePlayerState((state) => state.songId !== undefined)
  const isOpen = status === 'playing' || status === 'loading' || status === 'blocked' || status === 'unplayable'
  const isRadioDocked = useIsRadioDocked()
  const dockForm = isRadioDocked ? 'radio' : placeholder ? 'page' : !hasSong ? 'none' : isOpen ? 'playing' : 'paused'

  // A song takes the radio's place in the dock.
  const isStarting = status === 'playing' || status === 'loading'
  useEffect(() => {
    if (isStarting && isRadioDocked) stopPageRadio()
  }, [isStarting, isRadioDocked])

  const [firstKey, setFirstKey] = useState<KeyboardEvent>()
  useEffect(() => listen(document, 'keydown', (event) => setFirstKey((first) => first ?? event)), [])

  // `dock.module.css`, or `radio-layer.module.css` for the radio, reserves the dock's height by this attribute.
  useLayoutEffect(() => {
    document.documentElement.dataset.dock = dockForm
  }, [dockForm])

  return (
    <>
      {(dockForm === 'playing' || dockForm === 'paused') && <DockBar folded={dockForm === 'paused'} />}
      <PlayerVideo docked={dockForm === 'playing'} />
      {firstKey && <Shortcuts firstKey={firstKey} />}
    </>
  )
}
