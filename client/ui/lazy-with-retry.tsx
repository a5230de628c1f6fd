import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { waitForNextTask } from '../primitives/next-task.ts'
import { ErrorState } from './states.tsx'

interface LazyOptions<P> {
  /** Rendered while the component loads; nothing by default. */
  fallback?: (props: P) => ReactNode
  /** Wraps the error message that is rendered after a failed load. By default the message takes the place of the component. */
  renderError?: (props: P, message: ReactNode) => ReactNode
}

/** A component with an on-demand chunk. */
type LazyComponent<P> = ComponentType<P> & {
  /** Loads the chunk in advance, so that the first render shows the component immediately. Rejects if loading fails. */
  preload(): Promise<void>
}

/**
 * Returns a component whose chunk is loaded on the first render. If loading fails, an error message with a Retry button is
 * rendered in its place, and the rest of the page is not affected.
 */
export function lazyWithRetry<P extends object>(
  loadComponent: () => Promise<ComponentType<P>>,
  { fallback = () => null, renderError = (_, message) => message }: LazyOptions<P> = {},
): LazyComponent<P> {
  let Loaded: ComponentType<P> | undefined
  const preloadComponent = async () => {
    // Each component starts loading in a task of its own: a page mounts several at once, and starting the requests of a chunk takes milliseconds.
    await waitForNextTask()
    Loaded = await loadComponent()
  }

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, once for each component.
  function LazyComponent(props: P) {
    const [loadState, setLoadState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading')
    useEffect(() => {
      // Loading may have ended between the render and this effect. `preloadComponent` then only causes the render that shows the component.
      if (loadState !== 'loading') return
      let isCleanedUp = false
      const settle = (settledState: 'loaded' | 'failed') => () => isCleanedUp || setLoadState(settledState)
      preloadComponent().then(settle('loaded'), settle('failed'))
      return () => {
        isCleanedUp = true
      }
    }, [loadState])

    if (Loaded) return <Loaded {...props} />
    if (loadState !== 'failed') return fallback(props)
    return renderError(props, <ErrorState title="Part of the page didn't load." onRetry={() => setLoadState('loading')} />)
  }
  return Object.assign(LazyComponent, { preload: preloadComponent })
}
