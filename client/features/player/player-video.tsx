import { usePlayer, usePlayerState, useVideoPlaceholder } from '../../hooks/player.tsx'
import { VideoFrame } from '../../ui/video-frame.tsx'

/** The player's video. CSS positions it over the placeholder on the song page, in the corner of the dock, or off screen. */
export function PlayerVideo({ docked }: { docked: boolean }) {
  const player = usePlayer()
  const hasFrame = usePlayerState((state) => state.hasFrame)
  return <VideoFrame place={useVideoPlaceholder()} docked={docked} hasFrame={hasFrame} attach={player.attachStage} />
}
