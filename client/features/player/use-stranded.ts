import { useUnplugged } from '../../bindings/offline.ts'
import { usePlayerState } from '../../bindings/player.tsx'

/** Whether nothing can play for want of a network. What was loaded before it went may play on. */
export function useStranded(): boolean {
  const unplugged = useUnplugged()
  const silent = usePlayerState((state) => state.status !== 'playing')
  return unplugged && silent
}
