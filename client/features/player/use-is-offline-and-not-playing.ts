import { useDeviceOffline } from '../../hooks/offline.ts'
import { usePlayerState } from '../../hooks/player.tsx'

/** Whether the device is offline and no loaded video plays on. */
export function useIsOfflineAndNotPlaying(): boolean {
  const isOffline = useDeviceOffline()
  const isNotPlaying = usePlayerState((state) => state.status !== 'playing')
  return isOffline && isNotPlaying
}
