import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { ErrorState } from './states.tsx'

interface PartOptions<P> {
  /** What stands there until the part has come; nothing by default. */
  waiting?: (props: P) => ReactNode
  /** Where the words stand that tell that it did not come; in the part's own place by default. */
  missing?: (props: P, words: ReactNode) => ReactNode
}

/**
 * A component whose program is fetched when it is first shown. One that does not arrive takes nothing else with it: it says so,
 * and can be tried again.
 */
export function createPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting = () => null, missing = (_, words) => words }: PartOptions<P> = {},
): ComponentType<P> {
  let Here: ComponentType<P> | undefined

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, where modules are read.
  return function Part(props: P) {
    const [state, setState] = useState<'waiting' | 'here' | 'missing'>('waiting')
    useEffect(() => {
      if (Here || state !== 'waiting') return
      let left = false
      load().then(
        (component) => {
          Here = component
          if (!left) setState('here')
        },
        () => {
          if (!left) setState('missing')
        },
      )
      return () => {
        left = true
      }
    }, [state])

    if (Here) return <Here {...props} />
    if (state !== 'missing') return waiting(props)
    return missing(props, <ErrorState title="A part of the page did not arrive." onRetry={() => setState('waiting')} />)
  }
}
