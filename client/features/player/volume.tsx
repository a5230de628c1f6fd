import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { VolumeControl } from '../../ui/volume-control.tsx'

export function PlayerVolume() {
  const player = usePlayer()
  const volume = usePlayerState((state) => state.volume)
  const muted = usePlayerState((state) => state.muted)
  return (
    <VolumeControl
      volume={volume}
      muted={muted}
      onVolume={(value) => player.setVolume(value)}
      onMuted={(value) => player.setMuted(value)}
    />
  )
}
