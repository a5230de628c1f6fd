import { useLayoutEffect } from 'react'
import { usePlayerState, useStagePlace } from '../../bindings/player.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Stage } from './stage.tsx'

const DockBar = lazyWithRetry(() => import('./dock-bar.tsx').then((module) => module.DockBar))

/** Loads the chunk of the dock's visible part, so that the dock appears together with the player's state. */
export const preloadDock = DockBar.preload

/** The player bar on pages without a deck. Rendered once above all routes, since it contains the video's frame. */
export function Dock() {
  const placeholder = useStagePlace()
  const status = usePlayerState((state) => state.status)
  const hasSong = usePlayerState((state) => state.songId !== undefined)
  const isOpen = status === 'playing' || status === 'loading' || status === 'blocked' || status === 'unplayable'
  const dockForm = placeholder ? 'page' : !hasSong ? 'none' : isOpen ? 'playing' : 'paused'

  // `dock.module.css` reserves the dock's height by this attribute.
  useLayoutEffect(() => {
    document.documentElement.dataset.dock = dockForm
  }, [dockForm])

  return (
    <>
      {(dockForm === 'playing' || dockForm === 'paused') && <DockBar folded={dockForm === 'paused'} />}
      <Stage docked={dockForm === 'playing'} />
      <Shortcuts />
    </>
  )
}
