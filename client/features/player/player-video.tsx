import { usePlayer, usePlayerState, useVideoPlaceholder } from '../../hooks/player.tsx'
import { VideoFrame } from '../../ui/video-frame.tsx'

/** The video of the player: over the placeholder of the song page, in the corner of the dock, or off screen. */
export function PlayerVideo({ docked }: { docked: boolean }) {
  const player = usePlayer()
  const hasFrame = usePlayerState((state) => state.hasFrame)
  return <VideoFrame place={useVideoPlaceholder()} docked={docked} hasFrame={hasFrame} attach={player.attachStage} />
}
