import { useEffect, useEffectEvent } from 'react'
import { addListener } from '../../primitives/scope.ts'
import { type LinkedSettings, parseSettingsFragment } from './settings-link.ts'

/**
 * Calls `listener` with the settings in the fragment of the page's address, now and when the fragment changes; with 'invalid' if the
 * fragment has settings that are not valid. The fragment is then removed, so that a reload does not change the settings again.
 */
export function useLinkedSettings(isReady: boolean, listener: (linked: LinkedSettings | 'invalid') => void): void {
  const notifyListener = useEffectEvent(listener)
  useEffect(() => {
    if (!isReady) return
    const readFragment = () => {
      const linkedSettings = parseSettingsFragment(location.hash)
      if (linkedSettings === 'none') return
      history.replaceState(history.state, '', location.pathname + location.search)
      notifyListener(linkedSettings)
    }
    readFragment()
    return addListener(window, 'hashchange', readFragment)
  }, [isReady])
}
